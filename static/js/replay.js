/* The replay in the browser: steps without loading the page anew, keys, playing by itself, and the moment in the address.
 *
 * The server renders every moment and knows the way from each to its neighbours: the links of the page. This script follows
 * them. What stands behind the # of the address is a moment's name, which the server reads.
 */
(() => {
  "use strict";

  const PLAY_MS = 1300;
  const KEYS = {
    ArrowLeft: "card-back",
    ArrowRight: "card-on",
    PageUp: "deal-back",
    PageDown: "deal-on",
    Home: "first",
    End: "last",
  };
  const WITH_SHIFT = { ArrowLeft: "trick-back", ArrowRight: "trick-on" };

  const page = document.querySelector("main.replay");
  const byId = (id) => document.getElementById(id);
  const shown = () => byId("moment").dataset;
  const way = (name) => byId(`way-${name}`);
  const isOff = (name) => way(name).getAttribute("aria-disabled") === "true";

  let isLoading = false;
  let next = null;
  let timer = 0;

  page.classList.add("has-script");

  /* From one moment to another */

  // `query` is asked for when its turn comes: whoever holds a key down steps on from what has arrived by then.
  async function go(query) {
    if (isLoading) {
      next = query;
      return;
    }
    isLoading = true;
    for (let wanted = query; wanted; [wanted, next] = [next, null]) {
      const to = wanted();
      if (to) await load(page.dataset.moments + to);
    }
    isLoading = false;
  }

  // The source is inside of hx-ext. Of a failure htmx tells by its events.
  const LOAD = { source: page, target: "#moment", swap: "morph:outerHTML" };
  const load = (address) => htmx.ajax("GET", address, LOAD).catch(() => null);

  const follow = (name) => go(() => (isOff(name) ? "" : way(name).search));

  page.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id !== "moment") return;
    tell("");
    history.replaceState(null, "", `${location.pathname}#${shown().name}`);
    showMove();
  });

  for (const failure of ["htmx:responseError", "htmx:sendError"]) {
    document.addEventListener(failure, () => {
      pause();
      tell(page.dataset.textFailed);
    });
  }

  // The list scrolls, not the page.
  function showMove() {
    const scroll = document.querySelector(".moves-scroll");
    const move = scroll.querySelector(".move-current");
    scroll.scrollTop = move.offsetTop - (scroll.clientHeight - move.offsetHeight) / 2;
  }

  page.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-moment]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    pause();
    go(() => link.search);
    if (!link.closest(".ways")) document.querySelector(".scene").scrollIntoView({ block: "nearest" });
  });

  // Taken down at once: a moment that is on its way yet writes its own name there.
  function goToName() {
    const name = encodeURIComponent(location.hash.slice(1));
    pause();
    go(() => `?at=${name}`);
  }
  window.addEventListener("hashchange", goToName);

  /* The analysis of a deal */

  // The button stands in the region that moves; the form, with its secret, does not.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.id !== "analyse") return;
    event.preventDefault();
    const values = Object.fromEntries(new FormData(form, event.submitter));
    const target = `#analysis-${values.deal}`;
    await htmx.ajax("POST", form.action, { source: form, target, swap: "outerHTML", values }).catch(() => null);
    document.querySelector(target)?.focus({ preventScroll: true });
  });

  // The moment shown gets its marks. What has asked is gone by then, so that htmx tells the body.
  document.addEventListener("analysed", () => go(() => shown().address));

  /* Playing by itself */

  const isPlaying = () => page.dataset.playing === "yes";

  function pause() {
    clearTimeout(timer);
    delete page.dataset.playing;
  }

  function play() {
    page.dataset.playing = "yes";
    step();
  }

  async function step() {
    await follow("card-on");
    if (!isPlaying()) return;
    if (isOff("card-on")) pause();
    else timer = setTimeout(step, PLAY_MS);
  }

  page.addEventListener("click", (event) => {
    if (!event.target.closest("#autoplay")) return;
    if (isPlaying()) pause();
    else play();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) pause();
  });

  /* Keys */

  document.addEventListener("keydown", (event) => {
    if (document.documentElement.dataset.shortcuts === "off" || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    if (event.key !== "?" && document.querySelector(":popover-open")) return;
    if (press(event)) event.preventDefault();
  });

  function press(event) {
    const isChanged = event.shiftKey || event.ctrlKey;
    const name = (isChanged ? WITH_SHIFT : KEYS)[event.key];
    if (name) {
      pause();
      follow(name);
    } else if (event.key === " " && !isChanged && !event.target.closest("button, a, summary")) byId("autoplay").click();
    else if (event.key === "?") byId("shortcuts").togglePopover();
    else return false;
    return true;
  }

  /* The link to the moment shown */

  function tell(text) {
    byId("replay-notice").textContent = text;
  }

  byId("copy-link").addEventListener("click", async () => {
    const address = `${location.origin}${location.pathname}#${shown().name}`;
    // The clipboard exists in secure contexts only, and people play over plain http at home.
    if (navigator.clipboard) await navigator.clipboard.writeText(address);
    else {
      const field = document.createElement("textarea");
      field.value = address;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    tell(page.dataset.textCopied);
  });

  showMove();
  if (location.hash.length > 1) {
    goToName();
    document.querySelector(".scene").scrollIntoView();
  }
})();
