/** The line to the lobby, on every page of somebody who can be challenged and on the home page, which has the list. */

import { socketUrl } from "../net/address.js";
import { LiveSocket } from "../net/socket.js";
import { token } from "../site/token.js";
import { format, gettext, ngettext } from "../text.js";
import { takeWish } from "./another.js";
import { ask, page } from "./ask.js";
import { chime } from "./chime.js";
import { forget, say, showChallenges } from "./notices.js";
import { bringUpToDate, show, showStakes } from "./rows.js";
import { Seeking } from "./seeking.js";
import { hasGone, rememberGoing } from "./went.js";

/** The server says something every ten seconds at least (games/lobby/hall.py). */
const SILENCE_MS = 25_000;
/** Time to hear the chime and to read who it is. */
const LOOK_MS = 500;
/** How long after the line was lost whoever looked for somebody is taken to look still, in ms. */
const LOOKS_ON_MS = 120_000;

const script = document.getElementById("lobby-script");
const lobby = document.getElementById("lobby");
const rows = document.getElementById("open-rows");
const seekingRoot = document.getElementById("seeking");
const seeking = seekingRoot ? new Seeking(seekingRoot) : null;
/** The title that the lobby has set, and the one that the page had before. @type {{set: string, before: string}|null} */
let titled = null;

/** @type {import("./seeking.js").SeekCard|null} */
let own = null;
/** @type {Record<string, number>} */
let waiting = {};
/** The reader has just taken it back: nothing need be said. */
let stopped = false;
/** The page leaves for the table. */
let isGoing = false;
/** Since when there has been no line, by the time of day, for a page that sleeps counts nothing; null: there is one. @type {number|null} */
let lostAt = null;
/** What was asked for here last, to ask for it once more. @type {{url: string, data: FormData}|null} */
let wish = null;
/** The token that the line was opened with: with another one there is somebody else here, whom it does not speak for. */
let openedWith = "";

const socket = new LiveSocket(socketUrl(script.dataset.socket, { page, ...(lobby && { list: "1" }) }), {
  onMessage: receive,
  onLine: (line) => {
    // What has become of it meanwhile is told by the first `you` of the next line.
    if (line !== "reconnecting") return;
    lostAt ??= Date.now();
    seeking?.setLost(true);
  },
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
    case "stakes":
      if (rows) showStakes(rows, message.texts);
      break;
    case "you":
      changed(message.seek, message.known);
      break;
    case "challenges":
      showChallenges(message.html);
      break;
    case "go":
      go(message.url);
      break;
  }
}

/** @param {import("./seeking.js").SeekCard|null} seek @param {boolean} isKnown whether somebody is signed in */
function changed(seek, isKnown) {
  const before = own;
  const lost = lostAt;
  own = seek;
  lostAt = null;
  if (seek) isGoing = false;
  if (seek?.kind === "quick" && seek.id !== before?.id) showChoice(seek.rated);
  seeking?.setLost(false);
  if (seek?.paired && seek.here) {
    // The match begins when both pages have said this.
    socket.send({ t: "here" });
    if (!before?.paired) {
      chime();
      entitle(format(gettext("● %(name)s is here"), { name: seek.other }));
    }
  } else {
    entitle(null);
    if (before && !stopped && !isGoing) explain(before, seek, lost, isKnown);
  }
  stopped = false;
  seeking?.show(seek);
  draw();
}

/** Say something in the title; null: no more. A page that has set another one since keeps that. @param {string|null} text */
function entitle(text) {
  if (text !== null) titled = { set: text, before: titled?.before ?? document.title };
  if (titled && (text !== null || document.title === titled.set)) document.title = text ?? titled.before;
  if (text === null) titled = null;
}

/** Why it is not as it was. @param {number|null} lost since when there was no line until now */
function explain(before, seek, lost, isKnown) {
  const name = before.other;
  if (seek) {
    const isBack = before.paired && before.here && !seek.paired;
    if (isBack) say(format(gettext("%(name)s did not come. You are at the front of the queue again."), { name }));
  } else if (!before.here) {
    // Another tab's business, which says it there.
  } else if (!isKnown) {
    say(gettext("You were signed out: nobody is looked for any more."));
  } else if (lost !== null && (before.kind === "quick" || before.kind === "open")) {
    lookOn(before, lost);
  } else if (before.kind === "person" && !before.paired) {
    say(
      lost === null
        ? format(gettext("%(name)s did not accept."), { name })
        : format(gettext("The connection was lost, and with it your challenge to %(name)s."), { name }),
    );
  } else if (before.paired) {
    say(format(gettext("%(name)s did not come."), { name }));
  } else {
    say(gettext("Nobody is looked for any more."));
  }
}

/** The server has forgotten what a page looks for that was not there. Whoever is back soon looks on; later it is said. */
function lookOn(before, lost) {
  const again = before.kind === "quick" ? quickly(before.game, before.rated) : wish;
  const once = () => {
    if (own || isGoing) return;
    if (!again || Date.now() - lost > LOOKS_ON_MS) {
      say(
        before.kind === "quick"
          ? gettext("The connection was lost, and with it your place in the queue. Press the game to look again.")
          : gettext("The connection was lost, and with it your challenge. Offer it again if you like."),
        { stays: true },
      );
      return;
    }
    say(
      before.kind === "quick"
        ? gettext("The connection was lost for a moment. You are in the queue again.")
        : gettext("The connection was lost for a moment. Your challenge is open again."),
    );
    send(again.url, again.data);
  };
  // Nobody is put into a queue behind their back.
  if (document.hidden) document.addEventListener("visibilitychange", once, { once: true });
  else once();
}

/** What asks for quick pairing; null on a page that has none. @param {string} game @param {boolean} rated */
function quickly(game, rated) {
  const form = document.getElementById("quick-form");
  if (!form) return null;
  const data = new FormData();
  data.set("game", game);
  data.set("rated", rated ? "yes" : "no");
  return { url: form.getAttribute("action"), data };
}

function go(url) {
  isGoing = true;
  if (hasGone(url)) return;
  rememberGoing(url);
  setTimeout(() => location.assign(url), LOOK_MS);
}

/** The parts of the home page, as things stand. */
function draw() {
  // What was sent on the page of a challenge stands until it is taken back.
  document.querySelector(".challenge form")?.toggleAttribute("inert", own !== null && own.here);
  if (!lobby) return;
  const isRated = wantsRated();
  for (const tile of lobby.querySelectorAll(".tile")) {
    const isOwn = own?.kind === "quick" && own.game === tile.value && own.rated === isRated;
    tile.setAttribute("aria-pressed", String(isOwn));
    const count = waitingFor(tile.value, isRated);
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

/** What is looked for is what is chosen, also on a page that was loaded anew. @param {boolean} isRated */
function showChoice(isRated) {
  const choice = lobby?.querySelector(`input[name=quick-rated][value=${isRated ? "yes" : "no"}]`);
  if (choice) choice.checked = true;
}

/** Whether quick pairing is to be rated, as chosen above the tiles; who has no account has no choice. */
function wantsRated() {
  return lobby.querySelector("input[name=quick-rated]:checked")?.value === "yes";
}

/** How many others wait for quick pairing: rated and just for fun never meet. @param {string} game @param {boolean} isRated */
function waitingFor(game, isRated) {
  const isOwn = own?.kind === "quick" && own.game === game && own.rated === isRated && !own.paired;
  return (waiting[`${game}.${isRated ? "rated" : "fun"}`] ?? 0) - (isOwn ? 1 : 0);
}

/** Why there is no challenge to be seen. */
function whyNone() {
  if (rows.children.length) return gettext("No open challenge in this game.");
  if (lobby.querySelector(".tile-waits:not([hidden])")) return gettext("Somebody waits: press the game that says so.");
  const hasChoice = lobby.querySelector("input[name=quick-rated]") !== null;
  if (hasChoice && [...lobby.querySelectorAll(".tile")].some((tile) => waitingFor(tile.value, !wantsRated()) > 0)) {
    return wantsRated()
      ? gettext("Somebody waits to play just for fun: choose that above.")
      : gettext("Somebody waits to play a rated match: choose that above.");
  }
  return own ? gettext("Nobody else waits now.") : gettext("Nobody waits now: be the first.");
}

/** Ask, and say what came of it. @param {string} url @param {FormData} data @param {HTMLElement} [button] */
async function send(url, data, button) {
  if (button?.dataset.asking) return;
  if (button) button.dataset.asking = "true";
  const answer = await ask(url, data);
  if (button) delete button.dataset.asking;
  if (answer.ok && answer.seek) wish = { url, data };
  if (answer.ok) {
    forget();
  } else {
    stopped = false;
    const isOld = answer.code === "too_old";
    const link = isOld ? gettext("Load anew") : gettext("To the match");
    say(answer.text ?? gettext("That did not work."), { url: isOld ? location.pathname + location.search : answer.url, link, stays: true });
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
    if (form.id === "quick-form" && submitter?.getAttribute("aria-pressed") === "true") {
      // The tile that is down: pressed again it goes up.
      send(script.dataset.cancel, new FormData(), submitter);
      return;
    }
    send(submitter?.getAttribute("formaction") ?? form.getAttribute("action"), data, submitter);
  },
  true,
);

document.addEventListener("change", (event) => {
  if (event.target.matches?.("input[name=show], input[name=quick-rated]")) draw();
});

/** Back from a table that the other one did not come to: in the old place. */
function lookAgain() {
  if (!lobby?.dataset.again) return;
  const { again, againRated, againName } = lobby.dataset;
  history.replaceState(null, "", location.pathname);
  const { url, data } = quickly(again, againRated === "yes");
  data.set("again", "yes");
  say(format(gettext("%(name)s did not come. You are at the front of the queue again."), { name: againName }));
  send(url, data);
}

/** From a table where the match is over: for somebody else to play the same. */
function lookForAnother() {
  const wish = lobby ? takeWish() : null;
  if (!wish) return;
  const { url, data } = quickly(wish.game, wish.rated);
  send(url, data);
}

draw();
lookAgain();
lookForAnother();
