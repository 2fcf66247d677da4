/* Talk in the browser: sends what is said over the page's socket, marks what has not been read, fills the menu of a person.
 *
 * connection.js has the socket. Nothing is queued while it is closed: what was said into a broken connection would come out
 * of its context later.
 */
(() => {
  "use strict";

  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const panel = byId("talk");
  const field = byId("talk-text");
  const menu = byId("talk-menu");
  const marks = [...document.querySelectorAll("[data-talk-unread]")];

  let sent = null;
  let audio = null;

  /* Saying */

  function say(what) {
    const isSaid = window.belote.send({ type: "say", ...what });
    if (!isSaid) byId("talk-notice").textContent = panel.dataset.textNotSent;
    return isSaid;
  }

  panel.addEventListener("click", (event) => {
    const button = event.target.closest("[data-phrase]");
    if (button) say({ phrase: button.dataset.phrase });
  });

  byId("talk-form")?.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim() && say({ text: field.value })) sent = field.value;
  });

  /* Reading */

  const isInView = () => panel.checkVisibility() && !document.hidden;

  function showUnread(is) {
    for (const mark of marks) mark.hidden = !is;
  }

  function readAloud(line) {
    if (panel.checkVisibility() || !byId("announcer")) return;
    byId("announcer").textContent = line.textContent;
  }

  function chime() {
    audio ??= new AudioContext();
    const tone = new OscillatorNode(audio, { type: "sine", frequency: 520 });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.linearRampToValueAtTime(0.06, audio.currentTime + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.2);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.22);
  }

  function arrived(line) {
    if (line.classList.contains("talk-own")) {
      // Only what has been heard is taken out of the field: a line that was refused can be mended.
      if (field && field.value === sent) field.value = "";
      sent = null;
      byId("talk-notice").textContent = "";
      return;
    }
    readAloud(line);
    if (isInView()) return;
    showUnread(true);
    if (root.dataset.sounds === "on") chime();
  }

  // A list that is replaced as a whole, after a break, holds nothing that counts as new.
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.target.id !== "talk-lines") continue;
      for (const node of change.addedNodes) if (node.matches?.(".talk-line")) arrived(node);
    }
  }).observe(panel, { childList: true, subtree: true });

  new IntersectionObserver(() => {
    if (isInView()) showUnread(false);
  }).observe(panel);
  document.addEventListener("visibilitychange", () => {
    if (isInView()) showUnread(false);
  });

  /* The menu of a person */

  panel.addEventListener("click", (event) => {
    const name = event.target.closest("[data-person]");
    if (!name || !menu) return;
    menu.elements.person.value = name.dataset.person;
    byId("talk-menu-name").replaceChildren(name.firstElementChild.cloneNode(true));
    for (const link of menu.querySelectorAll("[data-to]")) {
      const address = name.dataset[link.dataset.to];
      link.hidden = !address;
      link.href = address ?? "";
    }
    for (const button of menu.querySelectorAll("[data-when-followed]")) {
      button.hidden = button.dataset.whenFollowed !== name.dataset.followed;
    }
  });
  menu?.addEventListener("htmx:afterRequest", () => menu.hidePopover());
  menu?.addEventListener("click", (event) => {
    if (event.target.closest("[data-to]")) menu.hidePopover();
  });
})();
