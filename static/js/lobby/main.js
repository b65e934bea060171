/** The line to the lobby, on every page of somebody who can be challenged and on the home page, which has the list. */

import { socketUrl } from "../net/address.js";
import { LiveSocket } from "../net/socket.js";
import { token } from "../site/token.js";
import { format, gettext, ngettext } from "../text.js";
import { ask, page } from "./ask.js";
import { chime } from "./chime.js";
import { say, showChallenges } from "./notices.js";
import { bringUpToDate, show } from "./rows.js";
import { Seeking } from "./seeking.js";

/** The server says something every ten seconds at least (games/lobby/hall.py). */
const SILENCE_MS = 25_000;
/** Time to hear the chime and to read who it is. */
const LOOK_MS = 500;
const WENT = "spit.went";

const script = document.getElementById("lobby-script");
const lobby = document.getElementById("lobby");
const rows = document.getElementById("open-rows");
const seekingRoot = document.getElementById("seeking");
const seeking = seekingRoot ? new Seeking(seekingRoot) : null;
const title = document.title;

/** @type {import("./seeking.js").SeekCard|null} */
let own = null;
/** @type {Record<string, number>} */
let waiting = {};
/** The reader has just taken it back: nothing need be said. */
let stopped = false;
/** The token that the line was opened with: with another one there is somebody else here, whom it does not speak for. */
let openedWith = "";

const socket = new LiveSocket(socketUrl(script.dataset.socket, { page, ...(lobby && { list: "1" }) }), {
  onMessage: receive,
  onLine: () => {},
  isFinal: (code) => code === "bad_message",
  open: (address) => {
    openedWith = token();
    return new WebSocket(address);
  },
  silence: SILENCE_MS,
}).start();

function receive(message) {
  switch (message.t) {
    case "list":
      waiting = message.waiting;
      if (rows) bringUpToDate(rows, message.html);
      draw();
      break;
    case "you":
      changed(message.seek);
      break;
    case "challenges":
      showChallenges(message.html);
      break;
    case "go":
      go(message.url);
      break;
  }
}

/** @param {import("./seeking.js").SeekCard|null} seek */
function changed(seek) {
  const before = own;
  own = seek;
  if (seek?.paired && seek.here) {
    // The match begins when both pages have said this.
    socket.send({ t: "here" });
    if (!before?.paired) {
      chime();
      document.title = format(gettext("● %(name)s is here"), { name: seek.other });
    }
  } else {
    document.title = title;
    if (before && !stopped) explain(before, seek);
  }
  stopped = false;
  seeking?.show(seek);
  draw();
}

/** Why it is not as it was. */
function explain(before, seek) {
  if (before.paired && before.here) {
    const name = before.other;
    if (seek) say(format(gettext("%(name)s did not come. You are at the front of the queue again."), { name }));
    else say(format(gettext("%(name)s did not come."), { name }));
  } else if (before.kind === "person" && !seek) {
    say(format(gettext("%(name)s did not accept."), { name: before.other }));
  }
}

function go(url) {
  try {
    // Who comes back to this page by the browser's button is not sent off again.
    if (sessionStorage.getItem(WENT) === url) return;
    sessionStorage.setItem(WENT, url);
  } catch {
    // No storage: then it may happen.
  }
  setTimeout(() => location.assign(url), LOOK_MS);
}

/** The parts of the home page, as things stand. */
function draw() {
  // What was sent on the page of a challenge stands until it is taken back.
  document.querySelector(".challenge form")?.toggleAttribute("inert", own !== null && own.here);
  if (!lobby) return;
  for (const tile of lobby.querySelectorAll(".tile")) {
    const isOwn = own?.kind === "quick" && own.game === tile.value;
    tile.setAttribute("aria-pressed", String(isOwn));
    const count = (waiting[tile.value] ?? 0) - (isOwn && !own.paired ? 1 : 0);
    const words = tile.querySelector("[data-waits]");
    words.hidden = count < 1;
    words.textContent = format(ngettext("%(count)s waits", "%(count)s wait", count), { count });
  }
  const filter = lobby.querySelector("input[name=show]:checked");
  const id = own?.kind === "open" ? String(own.id) : "";
  const seen = show(rows, filter?.value ?? "", id);
  document.getElementById("open-filter").hidden = rows.children.length === 0;
  rows.hidden = seen === 0;
  document.getElementById("open-none").hidden = seen > 0;
  lobby.querySelector("[data-none]").textContent = whyNone();
}

/** Why there is no challenge to be seen. */
function whyNone() {
  if (rows.children.length) return gettext("No open challenge in this game.");
  if (lobby.querySelector(".tile-waits:not([hidden])")) return gettext("Somebody waits: press the game that says so.");
  return own ? gettext("Nobody else waits now.") : gettext("Nobody waits now: be the first.");
}

/** Ask, and say what came of it. @param {string} url @param {FormData} data @param {HTMLElement} [button] */
async function send(url, data, button) {
  if (button?.dataset.asking) return;
  if (button) button.dataset.asking = "true";
  const answer = await ask(url, data);
  if (button) delete button.dataset.asking;
  if (!answer.ok) {
    stopped = false;
    const isOld = answer.code === "too_old";
    const link = isOld ? gettext("Load anew") : gettext("To the match");
    say(answer.text ?? gettext("That did not work."), { url: isOld ? location.href : answer.url, link });
  }
  // Whoever has a name from now on, got here or in another tab, is told things on a line of that name.
  if (answer.known || openedWith !== token()) socket.again();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-ask]");
  if (!button) return;
  event.preventDefault();
  stopped = button.dataset.ask === script.dataset.cancel;
  send(button.dataset.ask, new FormData(), button);
});

document.addEventListener(
  "submit",
  (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const { submitter } = event;
    if (!form.matches("[data-ask-form]") && !submitter?.matches("[data-ask-submit]")) return;
    event.preventDefault();
    // Not a form that is sent once (forms.js): the page stays.
    event.stopImmediatePropagation();
    const data = new FormData(form);
    if (submitter?.name) data.set(submitter.name, submitter.value);
    data.set("rated", data.get("quick-rated") ?? data.get("rated") ?? "no");
    stopped = true;
    if (own?.kind === "quick" && own.game === data.get("game") && form.id === "quick-form") {
      // The tile that is down: pressed again it goes up.
      send(script.dataset.cancel, new FormData(), submitter);
      return;
    }
    send(submitter?.getAttribute("formaction") ?? form.getAttribute("action"), data, submitter);
  },
  true,
);

document.addEventListener("change", (event) => {
  if (event.target.matches?.("input[name=show]")) draw();
});

/** Back from a table that the other one did not come to: in the old place. */
function lookAgain() {
  if (!lobby?.dataset.again) return;
  const { again, againRated, againName } = lobby.dataset;
  history.replaceState(null, "", location.pathname);
  const data = new FormData();
  data.set("game", again);
  data.set("rated", againRated);
  data.set("again", "yes");
  say(format(gettext("%(name)s did not come. You are at the front of the queue again."), { name: againName }));
  send(lobby.querySelector("#quick-form").getAttribute("action"), data);
}

draw();
lookAgain();
