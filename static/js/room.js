/* The page of a room: its buttons without loading the page anew, the way to the table, the link to copy. */
(() => {
  "use strict";

  const belote = window.belote;
  const byId = (id) => document.getElementById(id);
  const tableOf = () => byId("room").dataset.table;
  const tableAtFirst = tableOf();

  let isOnTheWay = false;
  let pressedIn = null;

  // What comes of it arrives over the socket. Without a connection the form does what forms do.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    if (button?.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
      belote.tell(button.dataset.reason, "refusal");
      return;
    }
    if (!form.matches("[data-live]") || !belote.isConnected()) return;
    event.preventDefault();
    pressedIn = button?.closest("[tabindex]")?.id ?? "room-status";
    const values = Object.fromEntries(new FormData(form, button));
    htmx.ajax("POST", button?.formAction ?? form.action, { source: form, values, swap: "none" });
  });

  // Whoever starts the match hears of the table twice, here and over the socket; the second way would break off the first.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    if (!event.detail.xhr.getResponseHeader("HX-Redirect")) return;
    if (isOnTheWay) event.preventDefault();
    isOnTheWay = true;
  });

  // The room is gone, or closed to this person: the page as it is now says so.
  document.addEventListener("htmx:responseError", () => location.reload());
  document.addEventListener("htmx:afterRequest", belote.clearNoticeLater);

  document.addEventListener("htmx:wsAfterMessage", () => {
    const table = tableOf();
    if (table && table !== tableAtFirst) {
      // Each further message would break off the loading of the table and begin it anew.
      if (!isOnTheWay) location.assign(table);
      isOnTheWay = true;
      return;
    }
    // The button that was pressed may be gone, and the keyboard with it.
    if (pressedIn && document.activeElement === document.body) {
      (byId(pressedIn) ?? byId("room-status")).focus({ preventScroll: true });
      pressedIn = null;
    }
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = byId(button.dataset.copy);
    field.select();
    // The clipboard exists in secure contexts only, and people play over plain http at home.
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy");
    belote.tell(button.dataset.done, "info");
  });
})();
