/* Who is known already and opens an invite link comes in at once. */
document.querySelector("[data-submit-at-once]")?.requestSubmit();
