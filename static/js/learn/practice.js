/** The practice page: the board and the hands of the live table, and a tutor in place of a server. */

import { Actions } from "../table/actions.js";
import { createBoard } from "../table/board.js";
import { Hub } from "../table/hub.js";
import { keyLabels, keysOf, listenToKeys } from "../table/input/keyboard.js";
import { listenToPointers } from "../table/input/pointer.js";
import { settings as chosen } from "../table/settings.js";
import { Sounds } from "../table/sounds.js";
import { refusalText } from "../table/words.js";
import { format, gettext } from "../text.js";
import { touch } from "../touch.js";
import { LESSONS } from "./lessons.js";
import { Tutor } from "./tutor.js";

const boardRoot = document.getElementById("board");
const bar = document.getElementById("lesson");
const count = document.getElementById("lesson-count");
const text = document.getElementById("lesson-text");
const end = document.getElementById("lesson-end");

const settings = /** @type {any} */ ({ whispers: true, oneTap: false });
const sounds = new Sounds(
  () => chosen.sound,
  () => chosen.volume,
);
const seats = [{ name: gettext("You") }, { name: gettext("Your friend") }];
const next = document.getElementById("lesson-next");
/** Which lesson it is; past the last one all is learnt. */
let number = 0;
/** Whether its task is done, and only something is to be read before it goes on. */
let isDone = false;

const board = createBoard(boardRoot, { match: { seats }, bottom: 0, interactive: true });
const tutor = new Tutor(seats, { onChange: draw, isAsked, onDone: done, onRefused: refuse });
const actions = new Actions(/** @type {any} */ (tutor), { settings, onSelect: mark, onBlocked: () => {} });
const hub = new Hub(board.hub, { clock: /** @type {any} */ ({ now: () => 0 }), onPress: () => actions.go() });
/** @type {Map<string, string>} */
let keys = new Map();

const lesson = () => LESSONS[number];

function draw() {
  board.render(tutor.view, { undo: true });
  actions.refresh();
  const { phase } = tutor.view.status;
  const prompts = {
    ready: { kind: "button", title: format(gettext("Round %(round)s"), { round: 1 }), label: gettext("Ready"), action: "ready" },
    stuck: { kind: "ring", label: gettext("spit"), action: "spit", tone: "wait" },
    slap: { kind: "ring", title: gettext("Slap!"), tone: "danger" },
  };
  hub.show(/** @type {any} */ (prompts[phase] ?? { kind: "none" }));
  mark();
}

function mark() {
  const isSlap = tutor.view.status.phase === "slap";
  board.mark({
    selected: actions.selected,
    targets: actions.targets(),
    overlooked: (!isDone && lesson()?.look) || [],
    glow: isSlap && lesson() ? ["centre.0", "centre.1"] : [],
  });
}

/** Begin a lesson, or come to the end. @param {number} which */
function begin(which) {
  number = which;
  isDone = false;
  actions.select(null);
  if (!lesson()) {
    finish();
    return;
  }
  const { places, phase, rival } = lesson();
  end.hidden = true;
  bar.hidden = false;
  tutor.rival = rival ?? null;
  if (places) tutor.layOut(places, phase);
  else tutor.setPhase(phase ?? "playing");
  printKeys();
  tell();
}

function tell() {
  if (!lesson() || isDone) return;
  next.classList.remove("button-go");
  next.classList.add("button-quiet");
  next.firstElementChild.textContent = gettext("Skip");
  boardRoot.dataset.lesson = lesson().name;
  count.textContent = format(gettext("%(number)s of %(count)s"), { number: number + 1, count: LESSONS.length });
  const labels = keyLabels(keys);
  text.textContent = lesson().text({ isTouch: touch.matches, key: (place) => labels[place] });
}

/** @param {import("./tutor.js").Command} command */
function isAsked(command) {
  return !isDone && Object.entries(lesson()?.asked ?? {}).every(([key, value]) => command[key] === value);
}

/** @type {import("./tutor.js").Pupil["onDone"]} */
function done({ t }) {
  sounds.make(t === "slap" ? "slap" : t === "play" || t === "move" ? "play" : "turn");
  begin(number + 1);
}

/** @type {import("./tutor.js").Pupil["onRefused"]} */
function refuse(command, refusal, from) {
  sounds.make("back");
  if (from) {
    board.shake(from);
    board.say(from, refusal.code === "later" ? later(command) : refusalText(tutor.match, command, refusal), "bad");
  }
  if (refusal.code === "pile_changed") pause();
}

const later = ({ t }) =>
  t === "slap" ? gettext("That one has more cards: take the other") : gettext("Not wrong, but first what it says above");

/** It was done: something is said before it goes on. */
function pause() {
  isDone = true;
  text.textContent = lesson().after();
  next.classList.add("button-go");
  next.classList.remove("button-quiet");
  next.firstElementChild.textContent = gettext("Next");
  mark();
}

/** Go on; what was not done is done now, so that the position is as the next lesson wants it. */
function goOn() {
  if (isDone || lesson().after) begin(number + 1);
  else tutor.command(/** @type {any} */ (lesson().asked));
}

function finish() {
  bar.hidden = true;
  delete boardRoot.dataset.lesson;
  end.hidden = false;
  end.addEventListener("animationend", () => document.getElementById("lesson-end-title").focus(), { once: true });
}

function printKeys() {
  keys = keysOf(tutor.view, 0, board);
  board.setKeys(keyLabels(keys));
}

listenToPointers(boardRoot, board, actions, (action) => action());
listenToKeys({
  press: (code) => {
    if (!end.hidden) return false;
    if (isDone && code === chosen.keys.go) {
      goOn();
      return true;
    }
    return keys.has(code) && actions.press(keys.get(code));
  },
  cancel: () => actions.select(null),
  relabel: () => {
    if (!tutor.view) return;
    printKeys();
    tell();
  },
});
chosen.addEventListener("change", () => {
  printKeys();
  draw();
  tell();
});
next.addEventListener("click", goOn);
document.getElementById("lesson-again").addEventListener("click", () => begin(0));
touch.addEventListener("change", tell);
begin(0);
