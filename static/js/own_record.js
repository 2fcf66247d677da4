/* Warns of each deal of a record that is not as this browser knows it (own_numbers.js). */
(() => {
  "use strict";

  const list = document.getElementById("own-record");
  for (const line of list.querySelectorAll("[data-deal]")) {
    const own = window.ownNumbers.of(list.dataset.match, line.dataset.deal);
    if (!own) continue;
    if (own.commitment !== line.dataset.commitment) line.textContent = line.dataset.textCommitment;
    else if (!line.dataset.numbers.split(",").includes(own.bits)) line.textContent = line.dataset.textNumber;
    line.hidden = !line.textContent;
  }
})();
