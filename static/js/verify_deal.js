/* Makes a deck anew from the secret and the random numbers, as docs/fair-deals.md states it, and compares. */
(() => {
  "use strict";

  const checks = document.getElementById("checks");
  const facts = checks.dataset;
  const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const hexOf = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const uint32 = (number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);
  const ascii = (text) => [...text].map((letter) => letter.charCodeAt(0));

  const seed = bytesOf(facts.seed);
  const numbers = facts.numbers.split(",").flatMap((hex) => (hex ? [1, ...bytesOf(hex)] : Array(17).fill(0)));

  function show(check, text, isWrong) {
    const cell = checks.querySelector(`[data-check="${check}"]`);
    if (!cell) return;
    cell.textContent = text;
    cell.classList.toggle("fair-wrong", isWrong);
  }

  const verdict = (check, holds) => show(check, holds ? facts.textYes : facts.textNo, !holds);

  async function streamOf(label, deal) {
    const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const head = [...ascii(label), ...bytesOf(facts.match.replaceAll("-", "")), ...uint32(deal), ...numbers];
    let block = 0;
    let bytes = [];
    return async () => {
      if (!bytes.length) bytes = [...new Uint8Array(await crypto.subtle.sign("HMAC", key, Uint8Array.from([...head, ...uint32(block++)])))];
      return bytes.shift();
    };
  }

  async function below(next, n) {
    const limit = 256 - (256 % n);
    let byte = await next();
    while (byte >= limit) byte = await next();
    return byte % n;
  }

  async function deckOf(deal) {
    const next = await streamOf("belote-deal-1", deal);
    const deck = [...Array(32).keys()];
    for (let last = 31; last > 0; last--) {
      const other = await below(next, last + 1);
      [deck[last], deck[other]] = [deck[other], deck[last]];
    }
    return deck.map((card) => "789TJQKA"[card % 8] + "SHDC"[card >> 3]).join(" ");
  }

  async function verify() {
    verdict("commitment", hexOf(await crypto.subtle.digest("SHA-256", seed)) === facts.commitment);
    verdict("deck", (await deckOf(Number(facts.deal))) === facts.deck);
    verdict("dealer", String(await below(await streamOf("belote-dealer-1", 1), 4)) === facts.dealer);
  }

  function compareOwn() {
    const own = window.ownNumbers.of(facts.match, facts.deal);
    if (!own) {
      show("own", facts.textNone, false);
      show("shown", facts.textNone, false);
      return;
    }
    const all = facts.numbers.split(",");
    if (all.includes(own.bits)) show("own", facts.textYes, false);
    else show("own", facts.seat && all[Number(facts.seat)] ? facts.textAltered : facts.textLeftOut, true);
    verdict("shown", own.commitment === facts.commitment);
  }

  compareOwn();
  // Browsers compute hashes for secure pages only (and for this machine's own).
  if (window.crypto?.subtle) verify();
  else for (const check of ["commitment", "deck", "dealer"]) show(check, facts.textInsecure, false);
})();
