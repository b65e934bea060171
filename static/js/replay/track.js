/**
 * The track: the view after each event of a replay, made once and kept. Piles that did not change are shared between
 * neighbours, so that 5,000 events take a few megabytes, and any moment is a binary search away.
 *
 * A *position* is `{index, ms}`: `index` events have happened, `ms` is the time. Several may share a millisecond, so the
 * time alone does not tell them apart; a position by time stands after the last of them.
 *
 * @typedef {import("../table/reducer.js").View} View
 * @typedef {import("../table/reducer.js").TableEvent} TableEvent
 * @typedef {{index: number, ms: number}} Position
 */

import { BACK } from "../cards/card.js";
import { parsePlace } from "../table/layout.js";
import { apply } from "../table/reducer.js";
import { BadDocument } from "./document.js";
import { gettext } from "../text.js";

/** The status before the first event, as the rules have it, for a document without a keyframe there. */
const BEFORE_THE_DEAL = Object.freeze({
  phase: "dealing",
  round: 1,
  since: 0,
  due: null,
  ready: [false, false],
  turns: 0,
  starts: [null, null],
  alone: null,
  chooser: null,
  result: null,
  game: 1,
  score: [0, 0],
  last: null,
  first_round: 1,
  began: 0,
  reshuffles: 0,
});

export class Track {
  /**
   * @param {import("./document.js").ReplayDocument} document
   * @throws {BadDocument} an event moves a card that is not there
   */
  constructor({ places, start, events, keyframes }) {
    /** @type {readonly TableEvent[]} */
    this.events = events;
    /** When each event happened, ms since the start of the match; `times[0]` is the start itself. */
    this.times = new Float64Array(events.length + 1);
    const first = {};
    for (const name of places) first[name] = start[name] ?? [];
    /** @type {View[]} `views[i]` is the table after `i` events */
    this.views = [{ seq: 0, at: 0, places: first, status: keyframes?.[0]?.status ?? BEFORE_THE_DEAL }];
    try {
      for (const event of events) {
        const view = apply(this.views[this.views.length - 1], event);
        this.times[view.seq] = event.at;
        this.views.push(view);
      }
    } catch (error) {
      throw new BadDocument("damaged", gettext("This replay is damaged."), { cause: error });
    }
  }

  /** How many events there are: the last index. */
  get length() {
    return this.events.length;
  }

  /** The time of the last event, ms. */
  get end() {
    return this.times[this.length];
  }

  /** The event that led to the view of an index; undefined at the start. @param {number} index */
  event(index) {
    return this.events[index - 1];
  }

  /** @param {number} index any number; it is brought into bounds @returns {Position} */
  at(index) {
    const bound = Math.min(Math.max(Number.isNaN(index) ? 0 : Math.trunc(index), 0), this.length);
    return { index: bound, ms: this.times[bound] };
  }

  /** The position at a time: after every event up to it. @param {number} ms any number @returns {Position} */
  atTime(ms) {
    const bound = Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, 0), this.end);
    return { index: this.indexAt(bound), ms: bound };
  }

  /** How many events have happened by a time. @param {number} ms */
  indexAt(ms) {
    const { times } = this;
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= ms) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** @type {WeakMap<readonly string[], readonly string[]>} */
const laidDown = new WeakMap();

/**
 * The view as the seat below saw it (G9): a hand of the other seat lies face down. What lies face down anyway stays as
 * it is; whether its face is printed is the board's affair.
 * @param {View} view
 * @param {0|1} seat
 * @returns {View}
 */
export function asSeen(view, seat) {
  let places = null;
  for (const name in view.places) {
    const place = parsePlace(name);
    if (place.role !== "hand" || place.seat === seat) continue;
    const pile = view.places[name];
    let down = laidDown.get(pile);
    if (!down) laidDown.set(pile, (down = pile.map((card) => (card[0] === BACK ? card : BACK + card))));
    places ??= { ...view.places };
    places[name] = down;
  }
  return places ? { ...view, places } : view;
}
