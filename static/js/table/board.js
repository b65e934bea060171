/**
 * The board: draws any view of any game, from the names of its places alone. It is the only writer of its DOM; the page
 * around it says what to mark and reads which place was pressed.
 */

import { createCard, showCard } from "../cards/face.js";
import { putAttribute } from "../put.js";
import { diff } from "./diff.js";
import { BACK_MS, PLAY_MS, TURN_MS, fly, isQuiet, offsetOf, outline, shake, turnOver } from "./flight.js";
import { arrange, cardsLeft } from "./layout.js";
import { PlaceView } from "./place.js";
import { createPlate } from "./plate.js";

/** Between the cards of a deal, in ms. */
const STAGGER_MS = 14;
/** How long a note stays. */
const NOTE_MS = 3200;

/**
 * @typedef {object} SeatInfo as in the protocol's `match.seats`
 * @property {string} name
 * @property {number|null} [rating]
 * @property {boolean} [provisional]
 * @property {boolean|string} [bot]
 * @property {string|null} [url]
 *
 * @typedef {object} Marks what the page wants to be seen on places; each mark replaces the one before
 * @property {string|null} [selected] the own place whose card is held
 * @property {string[]} [targets] places that would take it
 * @property {string[]} [glow] places that wait to be pressed: slap, choice
 * @property {string[]} [overlooked] places with a play that was overlooked (G8)
 * @property {Set<string>|string[]} [pending] places whose top card is shown before the server's word
 *
 * @typedef {object} Board
 * @property {(view: import("./reducer.js").View, options?: RenderOptions) => void} render
 * @property {(seat: 0|1) => void} setBottom turn the table
 * @property {(marks: Marks) => void} mark
 * @property {(keys: Record<string, string>) => void} setKeys the key printed at each place
 * @property {(seat: 0|1, facts: import("./plate.js").PlateFacts) => void} setPlate
 * @property {(place: string, text: string, tone?: "bad"|"good"|"plain") => void} say a note beside a place, never over a card
 * @property {(text: string) => void} setHint a sentence under the centre that stays, and gives way to notes
 * @property {(place: string) => void} shake
 * @property {(place: string) => HTMLElement|null} element the element of a place
 * @property {(node: Element|null) => string|null} placeOf the place that an element belongs to
 * @property {(x: number, y: number, among: Iterable<string>, reach?: number) => string|null} nearest the place nearest to a
 *   point of the window, within `reach` px of its edge
 * @property {(place: string, among: string[]) => string} nearestTo the one of some places that lies nearest to a place
 * @property {(place: string) => "left"|"right"|null} sideOf on which side of the clock a centre pile is drawn
 * @property {(place: string, x: number, y: number) => void} drag hold the top card of a place, moved by x, y px
 * @property {(place: string) => void} drop let go of it: it goes back
 * @property {HTMLElement} hub the middle of the centre: the page's own (a clock)
 *
 * @typedef {object} RenderOptions
 * @property {boolean} [animate] let the cards travel; default true
 * @property {boolean} [reveal] print the faces of face-down cards where they are known; default false
 * @property {boolean} [undo] a card that goes from the centre into a row is a play taken back: slower, and it shakes; default false
 */

/**
 * @param {HTMLElement} root an empty element; the board fills it
 * @param {{match: {seats: SeatInfo[], options?: object}, bottom?: 0|1, interactive?: boolean}} options
 * @returns {Board}
 */
export function createBoard(root, { match, bottom = 0, interactive = false }) {
  /** @type {Map<string, PlaceView>} */
  const places = new Map();
  /** The boxes of the places; forgotten when the board changes its size. @type {Map<string, import("./flight.js").Box>} */
  const boxes = new Map();
  /** @type {import("./reducer.js").View|null} */
  let shown = null;
  let reveal = false;
  let keys = {};
  /** @type {Marks} */
  let marks = {};
  /** @type {[object, object]} */
  const facts = [{}, {}];
  /** @type {ReturnType<typeof createPlate>[]} */
  let plates = [];
  let noteTimer = 0;
  let dragged = null;

  root.classList.add("board");
  root.dataset.alternate = String(match.options?.alternate ?? false);
  const hub = make("board-hub");
  const notes = make("board-notes");
  notes.setAttribute("aria-hidden", "true");
  const hint = document.createElement("p");
  hint.className = "board-hint";
  notes.append(hint);
  const sky = make("board-sky");
  new ResizeObserver(() => {
    measure();
    // A note stood beside a place that lies elsewhere now.
    notes.replaceChildren(hint);
  }).observe(root);

  function make(className, ...children) {
    const element = document.createElement("div");
    element.className = className;
    element.append(...children);
    return element;
  }

  /** Build the bands for the places of a view. */
  function build(view) {
    const layout = arrange(Object.keys(view.places), bottom);
    places.clear();
    boxes.clear();
    const draw = (place, mine) => {
      const shownPlace = new PlaceView(place, { interactive: interactive && mine, alternate: match.options?.alternate });
      places.set(place.name, shownPlace);
      return shownPlace.element;
    };
    plates = match.seats.map((seat, number) => createPlate(seat, number === bottom ? "below" : "above"));
    const band = (seat) => {
      const mine = seat === bottom;
      const row = make("board-row", ...layout.rows[seat].map((place) => draw(place, mine)));
      const wing = make("board-wing", ...layout.supplies[seat].map((place) => draw(place, mine)));
      wing.dataset.of = mine ? "below" : "above";
      if (layout.crowded) row.append(wing);
      const element = make(`board-seat board-seat-${mine ? "below" : "above"}`, plates[seat].element, row);
      element.dataset.seat = String(seat);
      return { element, wing: layout.crowded ? null : wing };
    };
    const above = band(1 - bottom);
    const below = band(bottom);
    const side = (index) => {
      const element = make("board-piles", ...layout.piles[index].map((place) => draw(place, true)));
      element.dataset.side = index ? "right" : "left";
      for (const place of layout.piles[index]) places.get(place.name).setSide(element.dataset.side);
      return element;
    };
    const middle = make("board-middle", hub, ...layout.middle.map((place) => draw(place, false)));
    const centre = make("board-centre", side(0), middle, side(1));
    if (above.wing) centre.prepend(above.wing);
    if (below.wing) centre.append(below.wing);
    root.style.setProperty("--cols", String(Math.max(1, layout.rows[bottom].length + (layout.crowded ? 1 : 0))));
    root.dataset.crowded = String(layout.crowded);
    root.dataset.bottom = String(bottom);
    root.replaceChildren(above.element, centre, notes, below.element, sky);
    showKeys();
    for (const seat of [0, 1]) plates[seat].show(facts[seat]);
    // After the next layout, which comes anyway: so that the first play need not wait for one.
    requestAnimationFrame(() => requestAnimationFrame(measure));
  }

  function showKeys() {
    for (const [name, place] of places) {
      place.key.textContent = keys[name] ?? "";
      place.key.hidden = !keys[name];
    }
  }

  /** A box relative to the board, so that scrolling the page does not matter. */
  function boxOf(element) {
    const frame = root.getBoundingClientRect();
    const { left, top, width, height } = element.getBoundingClientRect();
    return { left: left - frame.left, top: top - frame.top, width, height };
  }

  function homeOf(name) {
    let box = boxes.get(name);
    if (!box) boxes.set(name, (box = boxOf(places.get(name).stack)));
    return box;
  }

  /** Where a card of that place is now: at home, on its way there, or in somebody's hand. */
  function whereIs(card, home) {
    const offset = card && (card === dragged?.card ? dragged : offsetOf(card));
    return offset ? { ...home, left: home.left + offset.x, top: home.top + offset.y } : home;
  }

  /** The boxes of all places, while the page is laid out anyway. */
  function measure() {
    boxes.clear();
    for (const name of places.keys()) homeOf(name);
  }

  /** @type {Board["render"]} */
  function render(view, { animate = true, reveal: open = false, undo = false } = {}) {
    const fresh = !shown || !sameNames(shown.places, view.places);
    if (fresh) build(view);
    if (!fresh && shown.places === view.places && reveal === open) {
      shown = view;
      showStatus(view);
      return;
    }
    const change = fresh || !animate ? null : diff(shown.places, view.places);
    const calm = isQuiet();
    // Where each card starts from: known without asking the page, which would have to be laid out for that.
    const starts = new Map();
    if (change && !calm) {
      for (const move of change.moves) {
        homeOf(move.to.place);
        const card = places.get(move.from.place).cardAt(move.from.index);
        starts.set(move, { box: whereIs(card, homeOf(move.from.place)) });
      }
    }
    if (dragged && places.get(dragged.place)?.cardAt(dragged.index) !== dragged.card) dragged = null;
    const ghosts = new Map();
    if (change && !calm) for (const move of change.moves) if (hasGhost(view, move)) ghosts.set(move.from.place, move);
    if (dragged && change?.moves.some((move) => move.from.place === dragged.place)) letGo();
    for (const [name, place] of places) place.show(view.places[name], open);
    shown = view;
    reveal = open;
    if (change && calm) for (const move of change.moves) outline(places.get(move.to.place).stack);
    else if (change) animateChange(change, starts, ghosts, undo);
    showStatus(view);
  }

  /** Whether a card goes into a pile so deep that it has no element there: then a passing one stands for its whole pile. */
  function hasGhost(view, move) {
    return view.places[move.to.place].length - move.to.index > 4;
  }

  function animateChange(change, starts, ghosts, undo) {
    const many = change.moves.length > 6;
    change.moves.forEach((move, order) => {
      const card = places.get(move.to.place).cardAt(move.to.index);
      if (!card) return;
      const { box } = starts.get(move);
      const back = undo && move.from.place.startsWith("centre.") && !move.flipped;
      const duration = back ? BACK_MS : many || move.flipped ? TURN_MS : PLAY_MS;
      const delay = many ? Math.min(order, 40) * STAGGER_MS : 0;
      const flight = fly(card, box, homeOf(move.to.place), { duration, delay, flip: move.flipped });
      raise(places.get(move.to.place), flight);
      if (back) flight.finished.then(() => shake(card), () => {});
    });
    for (const [name, move] of ghosts) sendGhost(homeOf(name), homeOf(move.to.place));
    for (const { place, index } of change.flips) {
      const card = places.get(place).cardAt(index);
      if (card) turnOver(card);
    }
  }

  /** While a card flies to it, a place lies over its neighbours. */
  function raise(place, flight) {
    place.flights = (place.flights ?? 0) + 1;
    place.element.classList.add("is-landing");
    const land = () => {
      place.flights -= 1;
      if (!place.flights) place.element.classList.remove("is-landing");
    };
    flight.finished.then(land, land);
  }

  function sendGhost(from, to) {
    const card = createCard();
    showCard(card, "-");
    card.style.width = `${to.width}px`;
    card.style.left = `${to.left}px`;
    card.style.top = `${to.top}px`;
    sky.append(card);
    const flight = fly(card, from, to, { duration: TURN_MS * 1.5 });
    const done = () => card.remove();
    flight.finished.then(done, done);
  }

  function showStatus(view) {
    root.dataset.phase = view.status.phase;
    root.dataset.seq = String(view.seq);
    root.dataset.round = String(view.status.round);
    for (const seat of [0, 1]) plates[seat].showLeft(cardsLeft(view, seat));
  }

  /** @type {Board["mark"]} */
  function mark(next) {
    marks = { ...marks, ...next };
    const sets = {
      "is-selected": new Set(marks.selected ? [marks.selected] : []),
      "is-target": new Set(marks.targets ?? []),
      "is-glowing": new Set(marks.glow ?? []),
      "is-overlooked": new Set(marks.overlooked ?? []),
      "is-pending": new Set(marks.pending ?? []),
    };
    for (const [name, place] of places) {
      for (const className in sets) place.element.classList.toggle(className, sets[className].has(name));
      if (interactive && place.element.type === "button") {
        putAttribute(place.element, "aria-pressed", String(name === marks.selected));
      }
    }
  }

  /** @type {Board["say"]} */
  function say(name, text, tone = "plain") {
    const place = places.get(name);
    clearTimeout(noteTimer);
    notes.replaceChildren(hint);
    if (!place || !text) return;
    const note = document.createElement("p");
    note.className = "board-note";
    note.dataset.tone = tone;
    note.textContent = text;
    notes.append(note);
    // Beside its place, and inside the board.
    const strip = boxOf(notes);
    const home = homeOf(name);
    const half = note.offsetWidth / 2;
    const wanted = home.left + home.width / 2 - strip.left;
    const x = Math.max(half, Math.min(strip.width - half, wanted));
    note.style.setProperty("--x", `${x}px`);
    note.style.setProperty("--tip", `${wanted - x}px`);
    noteTimer = setTimeout(() => note.remove(), NOTE_MS);
  }

  function drag(name, x, y) {
    const place = places.get(name);
    const card = place?.top;
    if (!card) return;
    if (dragged?.card !== card) {
      letGo();
      dragged = { place: name, card, index: place.pile.length - 1, x, y };
      card.classList.add("is-dragged");
      place.element.classList.add("is-landing");
    }
    Object.assign(dragged, { x, y });
    card.style.translate = `${x}px ${y}px`;
  }

  function letGo() {
    if (!dragged) return;
    dragged.card.classList.remove("is-dragged");
    dragged.card.style.translate = "";
    places.get(dragged.place)?.element.classList.remove("is-landing");
    dragged = null;
  }

  function drop(name) {
    if (dragged?.place !== name) return;
    const { card } = dragged;
    const from = whereIs(card, homeOf(name));
    letGo();
    if (!isQuiet()) fly(card, from, homeOf(name), { duration: BACK_MS });
  }

  function nearest(x, y, among, reach = 48) {
    let best = null;
    let distance = reach;
    for (const name of among) {
      const box = places.get(name)?.stack.getBoundingClientRect();
      if (!box) continue;
      const dx = Math.max(box.left - x, 0, x - box.right);
      const dy = Math.max(box.top - y, 0, y - box.bottom);
      const away = Math.hypot(dx, dy);
      if (away < distance) [best, distance] = [name, away];
    }
    return best;
  }

  return {
    render,
    mark,
    say,
    drag,
    drop,
    nearest,
    hub,
    nearestTo(name, among) {
      const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
      const [x, y] = middle(homeOf(name));
      const away = (other) => Math.hypot(...middle(homeOf(other)).map((value, axis) => value - [x, y][axis]));
      return among.reduce((best, other) => (away(other) < away(best) ? other : best));
    },
    setBottom(seat) {
      if (seat === bottom) return;
      bottom = seat;
      const view = shown;
      shown = null;
      if (view) render(view, { reveal });
      mark({});
    },
    setKeys(next) {
      keys = next;
      showKeys();
    },
    setPlate(seat, next) {
      facts[seat] = { ...facts[seat], ...next };
      plates[seat]?.show(facts[seat]);
    },
    setHint(text) {
      if (hint.textContent !== text) hint.textContent = text;
    },
    shake(name) {
      const card = places.get(name)?.top ?? places.get(name)?.stack;
      if (card) shake(card);
    },
    element: (name) => places.get(name)?.element ?? null,
    placeOf: (node) => node?.closest?.("[data-place]")?.dataset.place ?? null,
    sideOf: (name) => places.get(name)?.element.dataset.side ?? null,
  };
}

function sameNames(one, other) {
  if (one === other) return true;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => name in other);
}
