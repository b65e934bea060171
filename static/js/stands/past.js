/**
 * What a watcher has seen of a match so far: the view after each event, as long as the page is there. It grows while the
 * match goes on, and is to a `Player` what the track of a replay is.
 *
 * @typedef {import("../table/reducer.js").View} View
 * @typedef {import("../table/reducer.js").TableEvent} TableEvent
 */

import { apply } from "../table/reducer.js";

export class Past {
  constructor() {
    /** `views[i]` is the table after the event `events[i - 1]`; the first one is where the page came in. @type {View[]} */
    this.views = [];
    /** @type {(TableEvent|undefined)[]} */
    this.events = [];
    /** @type {number[]} */
    this.times = [];
    /** Where rounds begin, and where two were after one pile. */
    this.rounds = [];
    this.contests = [];
  }

  get length() {
    return Math.max(0, this.views.length - 1);
  }

  /** ms of the match clock */
  get start() {
    return this.times[0] ?? 0;
  }

  /** ms of the match clock */
  get end() {
    return this.times[this.length] ?? 0;
  }

  /** @returns {View|undefined} */
  get last() {
    return this.views[this.length];
  }

  /** The event that led to a view. @param {number} index */
  event(index) {
    return this.events[index - 1];
  }

  /**
   * Take a whole view, as the server sent it. @param {View} view
   * @returns {boolean} whether what was seen before is worth nothing any more
   */
  take(view) {
    const { last } = this;
    if (last && view.seq === last.seq) {
      // The same moment, with more of it known: after the end every card lies open.
      this.views[this.length] = view;
      return false;
    }
    if (last && view.seq > last.seq) {
      // Some events were left out: here is a jump.
      this.#push(undefined, view);
      return false;
    }
    const isAnew = last !== undefined;
    this.views = [view];
    this.events = [];
    this.times = [view.at];
    this.rounds = [];
    this.contests = [];
    return isAnew;
  }

  /** Take what happened. @param {TableEvent[]} events the first one follows on the last view */
  add(events) {
    for (const event of events) this.#push(event, apply(this.last, event));
  }

  #push(event, view) {
    this.events.push(event);
    this.views.push(view);
    // Time does not run back on a line to be dragged along.
    this.times.push(Math.max(this.end, view.at));
    if (event?.kind === "dealt") this.rounds.push(this.length);
    if (event?.kind === "missed") this.contests.push(this.length);
  }

  /** @param {number} index any number; it is brought into bounds @returns {{index: number, ms: number}} */
  at(index) {
    const bound = Math.min(Math.max(Number.isNaN(index) ? 0 : Math.trunc(index), 0), this.length);
    return { index: bound, ms: this.times[bound] ?? 0 };
  }

  /** The position at a time: after every event up to it. @param {number} ms @returns {{index: number, ms: number}} */
  atTime(ms) {
    const bound = Math.min(Math.max(Number.isNaN(ms) ? this.start : ms, this.start), this.end);
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= bound) low = middle;
      else high = middle - 1;
    }
    return { index: low, ms: bound };
  }
}
