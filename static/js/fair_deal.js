/* One's own part in the shuffle: sends a random number for each deal, and warns when the table leaves it out or alters it,
 * or shows another commitment than before. own_numbers.js keeps them. */
(() => {
  "use strict";

  const table = document.querySelector("main.table");
  const warning = document.getElementById("fair-warning");
  const match = table.dataset.match;
  const facts = () => document.getElementById("fair-deal").dataset;

  let sent = "";

  function randomBits() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  function contribute(deal) {
    const bits = window.ownNumbers.of(match, deal.deal)?.bits ?? randomBits();
    if (sent === deal.deal || !window.belote.send({ type: "contribute", deal: Number(deal.deal), bits })) return;
    sent = deal.deal;
    if (!window.ownNumbers.of(match, deal.deal)) window.ownNumbers.keep(match, deal.deal, deal.commitment, bits);
  }

  function faultOf(deal) {
    const own = window.ownNumbers.of(match, deal.deal);
    if (!own) return "";
    if (own.commitment !== deal.commitment) return "textCommitment";
    if (deal.dealt !== "yes" || deal.own === own.bits) return "";
    return deal.own ? "textAltered" : "textLeftOut";
  }

  function look() {
    const deal = facts();
    if (deal.asked === "yes") contribute(deal);
    const fault = faultOf(deal);
    const text = fault ? warning.dataset[fault] : "";
    if (warning.textContent !== text) warning.textContent = text;
    warning.hidden = !fault;
    warning.classList.toggle("fair-warning-late", fault === "textLeftOut");
  }

  // What was sent over a connection that broke may not have come in.
  table.addEventListener("htmx:wsOpen", () => {
    sent = "";
  });
  table.addEventListener("htmx:wsAfterMessage", look);
})();
