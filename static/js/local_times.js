/* Turns moments that the server wrote in UTC into the reader's own time, with its zone. */
(() => {
  "use strict";

  const shape = { calendar: "gregory", year: "numeric", month: "long", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };
  const words = new Intl.DateTimeFormat(document.documentElement.lang, shape);
  for (const moment of document.querySelectorAll("time[data-local]")) moment.textContent = words.format(new Date(moment.dateTime));
})();
