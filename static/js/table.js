/* The table in the browser: sends commands, keys, focus, clocks, title and sound. connection.js has the socket.
 *
 * The server renders everything. htmx's ws extension opens the socket, opens it again, and swaps what arrives. Commands do
 * not go through its `ws-send`: it queues what is sent while offline and replays it later, and it binds a button again each
 * time the region around it is morphed, so that one click would be sent several times.
 */
(() => {
  "use strict";

  const ANSWER_MS = 3000;
  const LATE_RENDER_MS = 1500;
  const LAST_MS = 10000;

  const NOTHING = { version: -1, since: 0 };

  const belote = window.belote;
  const root = document.documentElement;
  const table = document.querySelector("main.table");
  const ownTitle = document.title;
  const byId = (id) => document.getElementById(id);
  const shown = () => byId("table-version").dataset;
  const shownVersion = () => Number(shown().version);
  const handButtons = () => [...document.querySelectorAll(".hand-card")];

  let beat = null;
  let tab = null;
  let wasOpen = false;
  let isOnTheWay = false;
  let waiting = NOTHING;
  let lostFocusAt = null;
  let heartbeatsBehind = 0;
  let wasMyTurn = shown().myTurn === "yes";
  let linesRead = document.querySelectorAll(".log li").length;
  let audio = null;
  let turnEndsAt = null;
  let lastWarned = false;
  let clockTimer = 0;

  /* Commands */

  // randomUUID exists in secure contexts only, and people play over plain http at home.
  function actionId() {
    if (crypto.randomUUID) return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  function send(message) {
    const isSent = belote.send(message);
    if (!isSent) belote.tell(table.dataset.textNotSent, "refusal");
    return isSent;
  }

  function command(button) {
    const version = shownVersion();
    if (waiting.version === version && Date.now() - waiting.since < ANSWER_MS) return;
    const message = { type: button.dataset.command, version, deal: Number(shown().deal), action_id: actionId() };
    if (button.dataset.suit) message.suit = button.dataset.suit;
    if (button.dataset.card) message.card = button.dataset.card;
    if (message.type === "play" && byId("announce")?.checked) message.announce = true;
    // What the network holds back for longer than a few beats is answered "stale" then, and not played.
    if (beat !== null) message.beat = beat;
    if (!send(message)) return;
    waiting = { version, since: Date.now() };
    const sent = waiting;
    setTimeout(() => {
      if (waiting === sent) belote.banner(table.dataset.textOffline, false);
    }, ANSWER_MS);
    lostFocusAt = Math.max(handButtons().indexOf(button), 0);
  }

  function press(button) {
    if (button.getAttribute("aria-disabled") === "true") {
      if (button.dataset.reason) belote.tell(button.dataset.reason, "refusal");
      return;
    }
    const mustConfirm = root.dataset.confirm === "on" && button.dataset.command === "play";
    if (mustConfirm && button.getAttribute("aria-pressed") !== "true") {
      handButtons().forEach((card) => card.removeAttribute("aria-pressed"));
      button.setAttribute("aria-pressed", "true");
      belote.tell(table.dataset.textConfirm, "info");
      return;
    }
    command(button);
  }

  table.addEventListener("click", (event) => {
    const button = event.target.closest("[data-command]");
    if (button) press(button);
  });

  // Opened from inside the menu, a sheet would be the menu's child and leave it open behind itself.
  byId("table-menu").addEventListener("click", (event) => {
    const sheet = event.target.closest("[popovertarget]");
    if (!sheet) return;
    event.preventDefault();
    byId("table-menu").hidePopover();
    byId(sheet.getAttribute("popovertarget")).showPopover();
  });

  /* Words to this viewer */

  function readNewLines() {
    const lines = [...document.querySelectorAll(".log li")].map((line) => line.textContent);
    const fresh = lines.length >= linesRead ? lines.slice(linesRead) : lines.slice(-1);
    linesRead = lines.length;
    if (fresh.length) byId("announcer").textContent = fresh.join(". ");
  }

  /* What arrives */

  table.addEventListener("htmx:wsBeforeMessage", (event) => {
    const head = /^\s*<div id="(table-version|heartbeat)"[^>]*\sdata-version="(\d+)"/.exec(event.detail.message);
    if (!head) return;
    beat = /^[^>]*\sdata-beat="(\d+)"/.exec(event.detail.message)?.[1] ?? beat;
    tab = /^[^>]*\sdata-tab="(\d+)"/.exec(event.detail.message)?.[1] ?? tab;
    const version = Number(head[2]);
    if (head[1] === "heartbeat") compare(version);
    else if (version < shownVersion()) event.preventDefault();
  });

  table.addEventListener("htmx:wsAfterMessage", (event) => {
    if (/<div id="notice"/.test(event.detail.message)) {
      waiting = NOTHING;
      belote.clearNoticeLater();
    } else if (waiting !== NOTHING && shownVersion() !== waiting.version) {
      waiting = NOTHING;
      belote.clearNotice();
    }
    if (lostFocusAt !== null && document.activeElement === document.body) {
      const cards = handButtons();
      const next = document.querySelector("#actions button") ?? cards[Math.min(lostFocusAt, cards.length - 1)];
      if (next) {
        next.focus({ preventScroll: true });
        lostFocusAt = null;
      }
    }
    readNewLines();
    showTurn();
    const nextTable = byId("next-table").dataset.href;
    // Each further message would break off the loading of the next table and begin it anew.
    if (nextTable && !isOnTheWay) location.assign(nextTable);
    isOnTheWay = Boolean(nextTable);
    readClock(performance.now());
  });

  // A heartbeat may overtake the rendering of its own version, so a newer one gets a moment. An older one twice in a row
  // means that the server went back, from a backup for instance: nothing that it sends would be newer than this page.
  function compare(version) {
    heartbeatsBehind = version < shownVersion() ? heartbeatsBehind + 1 : 0;
    if (heartbeatsBehind > 1) location.reload();
    if (version <= shownVersion()) return;
    setTimeout(() => {
      if (version > shownVersion()) send({ type: "resync" });
    }, LATE_RENDER_MS);
  }

  // A page that comes back says which one it is: the server lets the newest tab of a seat play. What a beat was worth ended
  // with its connection.
  belote.addressOf = (address) => {
    beat = null;
    return tab === null ? address : `${address}?tab=${tab}`;
  };

  table.addEventListener("htmx:wsOpen", () => {
    if (wasOpen) send({ type: "resync" });
    wasOpen = true;
  });

  table.addEventListener("htmx:wsClose", () => {
    waiting = NOTHING;
  });

  /* The clock of the seat on turn. The server says how much time is left, so that no clocks are compared; what it said is
   * taken off the element, so that the next rendering is noticed even when it says the same. */

  function readClock(renderedAt) {
    const clock = document.querySelector(".seat-clock-running");
    if (!clock) {
      turnEndsAt = null;
      lastWarned = false;
    } else if (clock.dataset.endsIn) {
      turnEndsAt = renderedAt + Number(clock.dataset.endsIn);
      delete clock.dataset.endsIn;
      lastWarned &&= turnEndsAt + Number(clock.dataset.reserve) - performance.now() <= LAST_MS;
    }
    tick();
  }

  function tick() {
    clearTimeout(clockTimer);
    const clock = document.querySelector(".seat-clock-running");
    if (!clock || turnEndsAt === null) return;
    const ofTurn = turnEndsAt - performance.now();
    const inAll = ofTurn + Number(clock.dataset.reserve);
    const seconds = Math.ceil(Math.max(0, ofTurn > 0 ? ofTurn : inAll) / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    clock.textContent = ofTurn > 0 ? text : `+${text}`;
    clock.classList.toggle("seat-clock-reserve", ofTurn <= 0);
    clock.classList.toggle("seat-clock-last", inAll <= LAST_MS);
    if (inAll <= LAST_MS && !lastWarned) {
      lastWarned = true;
      if (clock.dataset.lastText) byId("announcer").textContent = clock.dataset.lastText;
    }
    if (inAll > 0) clockTimer = setTimeout(tick, ((ofTurn > 0 ? ofTurn : inAll) % 1000) + 5);
  }

  readClock(performance.getEntriesByType("navigation")[0].responseStart);

  /* One's turn: title and sound */

  function showTurn() {
    const mine = shown().myTurn === "yes";
    document.title = mine && document.hidden ? `● ${table.dataset.textYourTurn} · Belote` : ownTitle;
    if (mine && !wasMyTurn && root.dataset.sounds === "on") chime();
    wasMyTurn = mine;
  }
  document.addEventListener("visibilitychange", showTurn);

  function chime() {
    audio ??= new AudioContext();
    [660, 880].forEach((pitch, step) => {
      const start = audio.currentTime + step * 0.12;
      const tone = new OscillatorNode(audio, { type: "sine", frequency: pitch });
      const volume = new GainNode(audio, { gain: 0 });
      volume.gain.linearRampToValueAtTime(0.12, start + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + 0.32);
    });
  }

  /* Keys */

  function moveAlong(step) {
    const cards = handButtons();
    const here = cards.indexOf(document.activeElement);
    const legal = cards.findIndex((card) => card.classList.contains("hand-legal"));
    const next = here < 0 ? Math.max(legal, 0) : (here + step + cards.length) % cards.length;
    cards[next]?.focus();
  }

  function pressKey(key) {
    if (/^[1-8]$/.test(key)) {
      const card = handButtons()[Number(key) - 1];
      card?.focus();
      card?.click();
    } else if (key === "ArrowLeft" || key === "ArrowRight") moveAlong(key === "ArrowLeft" ? -1 : 1);
    else if (key === "b") byId("announce")?.click();
    else if (key === "n") byId("act-next")?.click();
    else if (key === "?") byId("shortcuts")?.togglePopover();
    else return false;
    return true;
  }

  document.addEventListener("keydown", (event) => {
    if (root.dataset.shortcuts === "off" || event.repeat) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
    if (event.key !== "?" && document.querySelector(":popover-open")) return;
    if (pressKey(event.key.length === 1 ? event.key.toLowerCase() : event.key)) event.preventDefault();
  });
})();
