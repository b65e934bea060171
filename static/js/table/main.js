/** The table page: ties the line, the session, the board and the hand together. */

import { lookForAnother } from "../lobby/another.js";
import { rememberGoing } from "../lobby/went.js";
import { socketUrl } from "../net/address.js";
import { LiveSocket } from "../net/socket.js";
import { put } from "../put.js";
import { format, gettext } from "../text.js";
import { Actions } from "./actions.js";
import { After } from "./after.js";
import { Announcer } from "./announcer.js";
import { Bar } from "./bar.js";
import { createBoard } from "./board.js";
import { commentOn } from "./commentary.js";
import { Hub } from "./hub.js";
import { keyLabels, keysOf, listenToKeys } from "./input/keyboard.js";
import { listenToPointers } from "./input/pointer.js";
import { Panel } from "./panel.js";
import { plateFacts } from "./plates.js";
import { promptOf } from "./prompt.js";
import { Session } from "./session.js";
import { settings } from "./settings.js";
import { Sounds } from "./sounds.js";
import { Title } from "./title.js";
import { lineText, refusalText, shortName } from "./words.js";

/** Time to read that the match is no match. */
const BACK_MS = 2000;
/** `closing` codes after which coming back is of no use. */
const FINAL = new Set(["no_such_match", "bad_message"]);
/** Signed out, a player has lost the seat, and is told; a watcher goes on watching. @param {string} code */
const isFinal = (code) => FINAL.has(code) || (code === "signed_out" && (session.you !== null || session.isWaiting));

/** @type {{socket: string, replay: string, after: string, decisions: string, qr: string, again: string|null, another: import("../lobby/another.js").Wish|null, home: string, signIn: string, names: {game: string, site: string}}} */
const data = JSON.parse(document.getElementById("table-data").textContent);
const root = document.getElementById("table");
const boardRoot = document.getElementById("board");
const banner = document.getElementById("table-banner");
const part = (name) => document.querySelector(`[data-part="${name}"]`);

const sounds = new Sounds(
  () => settings.sound,
  () => settings.volume,
);
const announcer = new Announcer(root);
const title = new Title(data.names);
const bar = new Bar(document.getElementById("table-bar"));
/** @type {import("./board.js").Board|null} */
let board = null;
/** @type {Hub|null} */
let hub = null;
/** @type {Map<string, string>} */
let keys = new Map();
let awaySaid = false;
let isLeaving = false;

const socket = new LiveSocket(socketUrl(data.socket), {
  onMessage: (message) => session.receive(message),
  onLine: (line) => session.setLine(line),
  isFinal,
});
const session = new Session(socket, {
  onChange: draw,
  onEvents: tell,
  onRefused: refuse,
  onRematch: (url) => {
    // In place of the table that is over: who comes back stays where they want to be.
    if (session.you === null) return;
    rememberGoing(url);
    location.replace(url);
  },
});
const after = new After(data.after, session);
const actions = new Actions(session, {
  settings,
  nearest: (from, among) => board.nearestTo(from, among),
  onSelect: mark,
  onBlocked: (place) => {
    board?.shake(place);
    board?.say(place, gettext("Not connected: you cannot play now"), "bad");
  },
});
const panel = new Panel(document.getElementById("table-panel"), {
  replay: data.replay,
  home: data.home,
  report: data.report,
  decisions: data.decisions,
  share: location.href,
  qr: data.qr,
  withdraw: /** @type {HTMLFormElement|null} */ (document.getElementById("table-withdraw")),
  rematch: () => actions.offerRematch(),
  another: data.another && (() => lookForAnother(data.home, data.another)),
});

/** Show everything as it is now. Called at every change, in the same task: what is pressed is seen in the next frame. */
function draw() {
  root.dataset.line = session.line;
  root.dataset.sync = String(session.isSynced);
  const resign = part("resign");
  const hadFocus = document.activeElement === resign;
  bar.show(session);
  title.show(session);
  after.look();
  panel.show(session);
  // A button that is gone gives the focus to what is said now, and not to the page.
  if (hadFocus && resign.hidden) panel.root.focus();
  if (session.canAct) put(part("resign-fault"), "");
  showBanner();
  if (!session.view) return;
  root.dataset.you = session.you === null ? "watcher" : String(session.you);
  if (!board) setUp();
  const { view, places } = session.shown;
  board.render(view, { undo: true });
  if (!keys.size) printKeys();
  actions.refresh();
  for (const seat of [0, 1]) board.setPlate(seat, plateFacts(session, view, seat));
  const prompt = promptOf(session, view);
  hub.show(prompt);
  const isFirst = view.status.phase === "ready" && view.status.round === 1 && session.you !== null;
  board.setHint(prompt.say ?? (isFirst ? (data.stake ?? "") : ""));
  board.mark({ pending: places, glow: prompt.glow ?? [], overlooked: prompt.overlooked ?? [] });
  mark();
  sayWhoIsAway();
  goBack();
}

/** Quick pairing led here, and the other one did not come: back to the queue, to the old place in it. */
function goBack() {
  const { view, you, presence } = session;
  if (!data.again || you === null || isLeaving || view.status.phase !== "over") return;
  if (view.status.result?.cause !== "aborted" || presence.seats[1 - you]?.here !== false) return;
  isLeaving = true;
  setTimeout(() => location.replace(data.again), BACK_MS);
}

function setUp() {
  board = createBoard(boardRoot, {
    match: session.match,
    bottom: session.you ?? 0,
    interactive: session.you !== null,
  });
  hub = new Hub(board.hub, {
    clock: session.clock,
    onPress: () => act(() => actions.go()),
    onSecond: () => sounds.make("tick"),
  });
  if (session.you === null) return;
  listenToPointers(boardRoot, board, actions, act);
  listenToKeys({
    press: (code) => keys.has(code) && act(() => actions.press(keys.get(code))),
    cancel: () => actions.select(null),
    relabel: printKeys,
  });
}

function printKeys() {
  if (!board || session.you === null) return;
  keys = keysOf(session.view, session.you, board);
  board.setKeys(keyLabels(keys));
}

/** Do what the hand asks, and let it be heard. @param {() => boolean} action */
function act(action) {
  const { sent } = session.pending;
  const before = sent.size;
  const done = action();
  const kind = sent.size > before ? [...sent.values()].at(-1).message.t : "";
  if (["play", "move", "flip", "refill"].includes(kind)) sounds.make("play");
  else if (kind === "slap") sounds.make("slap");
  return done;
}

function mark() {
  if (!board) return;
  board.mark({ selected: actions.selected, targets: settings.whispers ? actions.targets() : [] });
}

/** @param {import("./reducer.js").TableEvent[]} events */
function tell(events) {
  const said = [];
  for (const event of events) {
    const { sound, say, mention, note } = commentOn(event, session, board);
    if (sound) sounds.make(sound);
    if (say) said.push(say);
    if (mention) announcer.mention(mention);
    if (note) board.say(note.place, note.text, note.tone);
  }
  // What happened at one moment is one thing to say.
  if (said.length) announcer.say(said.join(". "));
}

/** @type {import("./session.js").Listener["onRefused"]} */
function refuse({ message, from }, refusal) {
  // Said twice, or once too often after the end: nothing is lost, nothing needs to be said.
  if (refusal.code === "already" || refusal.code === "game_over") return;
  const text = refusalText(session.match, message, refusal);
  announcer.say(text);
  sounds.make("back");
  if (!board || !from) return;
  if (!["play", "move"].includes(message.t) || session.view.places[from]?.at(-1) === message.card) board.shake(from);
  board.say(from, text, "bad");
}

function showBanner() {
  const text = lineText(session);
  banner.hidden = !text;
  if (!text || banner.firstChild?.textContent === text) return;
  banner.replaceChildren(text);
  if (session.line !== "closed" || session.closing !== "signed_out") return;
  const link = { href: data.signIn, textContent: gettext("Sign in to return to your seat") };
  banner.append(" ", Object.assign(document.createElement("a"), link));
}

function sayWhoIsAway() {
  if (session.you === null) return;
  const other = 1 - session.you;
  const isAway = session.presence.seats[other]?.here === false;
  if (isAway === awaySaid) return;
  awaySaid = isAway;
  const name = shortName(session.match, other);
  announcer.say(format(isAway ? gettext("%(name)s is away") : gettext("%(name)s is back"), { name }));
}

// The absence of a seat is counted down on its plate.
setInterval(() => {
  if (board && session.presence.seats.some((seat) => seat.away_due !== null)) {
    for (const seat of [0, 1]) board.setPlate(seat, plateFacts(session, session.shown.view, seat));
  }
}, 500);

/**
 * Whoever opens the link of a friend's match sits down; a program that only looks at the page does not. Once: when the
 * server answers with the same page, it has said there why, and the button stays.
 */
function sitDown() {
  const form = document.getElementById("table-join");
  if (!form) return;
  const key = `spit.joined:${form.action}`;
  try {
    if (sessionStorage.getItem(key)) return;
    sessionStorage.setItem(key, "1");
  } catch {
    return; // Without storage nobody could tell the second time from the first: there is the button.
  }
  form.requestSubmit();
}

// The bar and the dialogs.

function showSettings() {
  part("sound").setAttribute("aria-pressed", String(settings.sound));
}

settings.addEventListener("change", () => {
  showSettings();
  if (!session.view) return;
  printKeys();
  draw();
});
part("sound").addEventListener("click", () => settings.setSound(!settings.sound));
part("resign").addEventListener("click", () => session.canAct && document.getElementById("table-resign").showModal());
part("resign-sure").addEventListener("click", (event) => {
  if (actions.resign()) return;
  // It stays open, and says why.
  event.preventDefault();
  put(part("resign-fault"), gettext("There is no connection at the moment: nothing was sent. Try again when it is back."));
});
part("turn").addEventListener("click", () => board?.setBottom(boardRoot.dataset.bottom === "0" ? 1 : 0));

sitDown();

showSettings();
socket.start();
// A friend who has not sat down yet is asked to: that stands there instead.
if (!document.getElementById("table-join")) session.expectSoon();
