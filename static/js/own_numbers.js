/* The random numbers that this browser has sent for deals, with the commitments that it saw before; the newest are kept. */
(() => {
  "use strict";

  const STORE = "belote-own-numbers";
  const KEPT = 400;

  // A browser that keeps nothing (private windows, blocked storage) still remembers while the page is open.
  let known = new Map();
  try {
    known = new Map(JSON.parse(localStorage.getItem(STORE) ?? "[]"));
  } catch {
    known = new Map();
  }

  const key = (match, deal) => `${match}/${deal}`;

  function keep(match, deal, commitment, bits) {
    known.set(key(match, deal), { commitment, bits });
    const newest = [...known].slice(-KEPT);
    try {
      localStorage.setItem(STORE, JSON.stringify(newest));
    } catch {
      // Full or blocked: the page that is open goes on comparing.
    }
  }

  window.ownNumbers = { of: (match, deal) => known.get(key(match, deal)) ?? null, keep };
})();
