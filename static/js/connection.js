/* The socket of a page: watches the connection, says when it is gone and why, and opens it again; words to this viewer.
 *
 * htmx's ws extension opens the socket, opens it again, and swaps what arrives. What the page says does not go through its
 * `ws-send`: that queues what is sent while offline and replays it later.
 */
(() => {
  "use strict";

  const REOPENED_BY_HTMX = [1006, 1011, 1012, 1013];
  const SIGNED_OUT = 4401;
  const RETIRED = 4409;
  const BANNED = 403;
  const ENDS = { 4403: "textRefused", [RETIRED]: "textRetired", 4410: "textRemoved" };
  const SILENCE_MS = 12000;
  const OVERDUE_MS = 6500;
  const CONNECT_MS = 5000;
  const SPREAD_MS = 2000;
  const NOTICE_MS = 8000;

  const page = document.querySelector("[ws-connect]");
  const box = document.getElementById("connection");

  let socket = null;
  let wrapper = null;
  let lastHeard = Date.now();
  let connectingSince = Date.now();
  let leaving = false;
  let noticeTimer = 0;

  const isConnected = () => socket?.readyState === WebSocket.OPEN;

  function send(message) {
    if (!isConnected()) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  function banner(text, offerReload) {
    box.hidden = !text;
    box.querySelector(".connection-text").textContent = text;
    box.querySelector(".connection-reload").hidden = !offerReload;
  }

  function tell(text, kind) {
    const notice = document.getElementById("notice");
    notice.className = `notice notice-${kind}`;
    const line = document.createElement("p");
    line.textContent = text;
    notice.replaceChildren(line);
    clearNoticeLater();
  }

  function clearNotice() {
    document.getElementById("notice").replaceChildren();
  }

  function clearNoticeLater() {
    clearTimeout(noticeTimer);
    noticeTimer = setTimeout(clearNotice, NOTICE_MS);
  }

  // `addressOf` is asked each time a socket is made; a page that has to say which one it is puts its own there.
  window.belote = { addressOf: (address) => address, isConnected, send, banner, tell, clearNotice, clearNoticeLater };

  // Soon, but not all pages at once after a restart.
  htmx.config.wsReconnectDelay = (tries) => Math.min(4000, 500 * 2 ** tries) * (0.5 + Math.random() / 2);

  htmx.createWebSocket = (address) => {
    socket = new WebSocket(window.belote.addressOf(address));
    connectingSince = Date.now();
    return socket;
  };

  page.addEventListener("htmx:wsOpen", (event) => {
    wrapper = event.detail.socketWrapper;
    lastHeard = Date.now();
    banner("", false);
  });

  page.addEventListener("htmx:wsBeforeMessage", () => {
    lastHeard = Date.now();
    if (isConnected()) banner("", false);
  });

  page.addEventListener("htmx:wsClose", (event) => {
    if (leaving) return;
    const code = event.detail.event.code;
    const comesBack = REOPENED_BY_HTMX.includes(code);
    if (code === RETIRED) box.querySelector(".connection-reload").textContent = page.dataset.textPlayHere;
    banner(page.dataset[comesBack ? "textOffline" : ENDS[code] ?? "textEnded"] ?? page.dataset.textEnded, !comesBack);
    if (code === SIGNED_OUT) openAsWhoeverOneIs();
  });

  // The session has ended: by a new password, by signing up, by logging in as somebody else, or out in another tab. Whoever
  // may still see this page gets it, and whoever has been banned the reason in its place.
  async function openAsWhoeverOneIs() {
    const answer = await fetch(location.href).catch(() => null);
    if (answer?.ok || answer?.status === BANNED) location.reload();
  }

  function isDead(silence) {
    if (isConnected()) return Date.now() - lastHeard > silence;
    return socket?.readyState === WebSocket.CONNECTING && Date.now() - connectingSince > CONNECT_MS;
  }

  setInterval(() => {
    if (isDead(SILENCE_MS)) openAnew(Math.random() * SPREAD_MS);
  }, 1000);

  // Back from sleep or from a tunnel: a heartbeat that is overdue will not come any more.
  function lookAtOnce() {
    if (!document.hidden && isDead(OVERDUE_MS)) openAnew(0);
  }
  for (const sign of ["online", "focus"]) window.addEventListener(sign, lookAtOnce);
  for (const sign of ["visibilitychange", "resume"]) document.addEventListener(sign, lookAtOnce);

  // The old socket may take minutes to notice that it is dead; its late "closed" must not close the new one.
  function openAnew(delay) {
    if (!wrapper) return;
    banner(page.dataset.textOffline, false);
    lastHeard = connectingSince = Date.now();
    socket.onclose = null;
    socket.onerror = null;
    socket.close();
    setTimeout(() => wrapper.reconnect(), delay);
  }

  window.addEventListener("pagehide", () => {
    leaving = true;
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
})();
