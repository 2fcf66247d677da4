/* A page that its socket keeps up to date: watches the connection and says when it is gone.
 *
 * The server sends the live region whole as soon as the socket is open, and again when anything in it has changed, so that
 * nothing needs to be asked for. htmx's ws extension opens the socket, opens it again, and swaps what arrives.
 */
(() => {
  "use strict";

  const REOPENED_BY_HTMX = [1006, 1011, 1012, 1013];
  const SILENCE_MS = 12000;
  const CONNECT_MS = 5000;

  const page = document.querySelector("main.live");
  const box = document.getElementById("connection");

  let socket = null;
  let wrapper = null;
  let lastHeard = Date.now();
  let leaving = false;

  window.belote = { isConnected: () => socket?.readyState === WebSocket.OPEN };

  function banner(text, offerReload) {
    box.hidden = !text;
    box.querySelector(".connection-text").textContent = text;
    box.querySelector(".connection-reload").hidden = !offerReload;
  }

  // Soon, but not all pages at once after a restart.
  htmx.config.wsReconnectDelay = (tries) => Math.min(4000, 500 * 2 ** tries) * (0.5 + Math.random() / 2);

  htmx.createWebSocket = (address) => {
    socket = new WebSocket(address);
    lastHeard = Date.now();
    return socket;
  };

  page.addEventListener("htmx:wsOpen", (event) => {
    wrapper = event.detail.socketWrapper;
    lastHeard = Date.now();
    banner("", false);
  });

  page.addEventListener("htmx:wsBeforeMessage", () => {
    lastHeard = Date.now();
    banner("", false);
  });

  page.addEventListener("htmx:wsClose", (event) => {
    if (leaving) return;
    const comesBack = REOPENED_BY_HTMX.includes(event.detail.event.code);
    banner(comesBack ? page.dataset.textOffline : page.dataset.textEnded, !comesBack);
  });

  function isDead() {
    const silence = Date.now() - lastHeard;
    if (socket?.readyState === WebSocket.OPEN) return silence > SILENCE_MS;
    return socket?.readyState === WebSocket.CONNECTING && silence > CONNECT_MS;
  }

  // The old socket may take minutes to notice that it is dead; its late "closed" must not close the new one.
  function openAnew() {
    if (!wrapper || !isDead()) return;
    banner(page.dataset.textOffline, false);
    lastHeard = Date.now();
    socket.onclose = null;
    socket.onerror = null;
    socket.close();
    wrapper.reconnect();
  }
  setInterval(openAnew, 1000);
  for (const sign of ["online", "focus"]) window.addEventListener(sign, openAnew);
  document.addEventListener("visibilitychange", openAnew);

  window.addEventListener("pagehide", () => {
    leaving = true;
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
})();
