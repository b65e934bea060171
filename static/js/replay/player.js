/**
 * The player: where the replay stands, and the transport that moves it. It knows neither the board nor the page; they
 * listen. Time is handed in, so a test can be its clock.
 */

export const SPEEDS = Object.freeze([0.25, 0.5, 1, 2, 4, 8]);

/** A longer time between two frames is a tab that slept, not a moment that was watched. */
const LONGEST_FRAME = 250;
/** With waits skipped: a gap longer than this ... */
const WAIT = 1500;
/** ... is cut so that this much of it is left before the next event. */
const LEAD = 500;
/** A part to be played again and again is no shorter, ms. */
const SHORTEST_PART = 100;

/**
 * @typedef {object} Change
 * @property {number} from the index before
 * @property {"seek"|"step"|"play"|"settings"} cause
 *
 * @typedef {(player: Player, change: Change) => void} Listener
 */

export class Player {
  /** @type {Set<Listener>} */
  #listeners = new Set();
  #last = 0;
  #frame = 0;
  /** The part that was played again and again before there was none. @type {{from: number, to: number}|null} */
  #lastLoop = null;
  #clock;

  /**
   * @param {import("./track.js").Track} track
   * @param {{now: () => number, request: (tick: () => void) => number, cancel: (frame: number) => void}} [clock]
   */
  constructor(track, clock) {
    this.track = track;
    this.#clock = clock ?? {
      now: () => performance.now(),
      request: (tick) => requestAnimationFrame(tick),
      cancel: (frame) => cancelAnimationFrame(frame),
    };
    this.index = 0;
    /** The time shown, ms since the start of the match; has fractions while playing. */
    this.ms = 0;
    this.playing = false;
    /** @type {1|-1} */
    this.direction = 1;
    this.speed = 1;
    this.skipWaits = false;
    /** The part that is played again and again. @type {{from: number, to: number}|null} */
    this.loop = null;
  }

  /** @param {Listener} listener @returns {() => void} stops listening */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The view shown. */
  get view() {
    return this.track.views[this.index];
  }

  get atStart() {
    return this.index === 0 && this.ms === 0;
  }

  get atEnd() {
    return this.index === this.track.length && this.ms === this.track.end;
  }

  /** Go to a position of the track. @param {import("./track.js").Position} position @param {Change["cause"]} [cause] */
  go(position, cause = "seek") {
    const from = this.index;
    this.index = position.index;
    this.ms = position.ms;
    this.#last = this.#clock.now();
    this.#tell({ from, cause });
  }

  /** Go to a time. @param {number} ms */
  seek(ms) {
    this.go(this.track.atTime(ms));
  }

  /** Go to the state after that many events. @param {number} index */
  seekIndex(index) {
    this.go(this.track.at(index));
  }

  /**
   * One event on, or back; playing stops. Back from between two events is to the one just passed.
   * @param {1|-1} by
   */
  step(by) {
    this.pause();
    const isBetween = this.ms > this.track.times[this.index];
    this.go(this.track.at(by < 0 && isBetween ? this.index : this.index + by), "step");
  }

  /** Some milliseconds on, or back; playing stops. @param {number} ms */
  nudge(ms) {
    this.pause();
    this.go(this.track.atTime(Math.floor(this.ms) + ms), "step");
  }

  /**
   * Go to the next of some indices, or to the one before; stay if there is none. Playing stops.
   * @param {number[]} indices in order
   * @param {1|-1} by
   */
  stepAmong(indices, by) {
    this.pause();
    const isAhead = (index) => (by > 0 ? index > this.index : index < this.index);
    const target = by > 0 ? indices.find(isAhead) : indices.findLast(isAhead);
    if (target !== undefined) this.go(this.track.at(target), "step");
  }

  home() {
    this.seekIndex(0);
  }

  toEnd() {
    this.pause();
    this.seekIndex(this.track.length);
  }

  /**
   * Play, forwards or backwards; from the far end again when there is nothing left in that direction.
   * @param {1|-1} [direction]
   */
  play(direction = 1) {
    if (this.track.end === 0) return;
    if (direction > 0 ? this.atEnd : this.atStart) this.go(this.track.at(direction > 0 ? 0 : this.track.length));
    this.direction = direction;
    if (this.loop && this.#leftLoop(this.ms)) this.go(this.track.atTime(this.#loopStart));
    this.#last = this.#clock.now();
    if (!this.playing) {
      this.playing = true;
      this.#frame = this.#clock.request(this.#tick);
    }
    this.#tell({ from: this.index, cause: "settings" });
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.#clock.cancel(this.#frame);
    this.#tell({ from: this.index, cause: "settings" });
  }

  /** Play in that direction, or pause if it is doing so. @param {1|-1} [direction] */
  toggle(direction = 1) {
    if (this.playing && this.direction === direction) this.pause();
    else this.play(direction);
  }

  /** @param {number} speed one of `SPEEDS` */
  setSpeed(speed) {
    if (!SPEEDS.includes(speed)) throw new RangeError(`no such speed: ${speed}`);
    this.speed = speed;
    this.#tell({ from: this.index, cause: "settings" });
  }

  /** Whether long gaps between events are cut while playing. @param {boolean} on */
  setSkipWaits(on) {
    this.skipWaits = on;
    this.#tell({ from: this.index, cause: "settings" });
  }

  /**
   * Play a part again and again, or (null) no part any more.
   * @param {{from: number, to: number}|null} part ms; brought within the match, and into order
   */
  setLoop(part) {
    this.#lastLoop = this.loop ?? this.#lastLoop;
    if (part) {
      const from = Math.max(0, Math.floor(Math.min(part.from, part.to)));
      const to = Math.min(this.track.end, Math.ceil(Math.max(part.from, part.to)));
      this.loop = to - from >= SHORTEST_PART ? { from, to } : null;
    } else this.loop = null;
    this.#tell({ from: this.index, cause: "settings" });
  }

  /**
   * No part any more; or once more the last one, or `part` if there never was one.
   * @param {{from: number, to: number}} part
   */
  toggleLoop(part) {
    this.setLoop(this.loop ? null : (this.#lastLoop ?? part));
  }

  /** Where a part begins in the direction of play. */
  get #loopStart() {
    return this.direction > 0 ? this.loop.from : this.loop.to;
  }

  /** Whether a time lies behind the part, or before it, as one plays. */
  #leftLoop(ms) {
    const { from, to } = this.loop;
    return this.direction > 0 ? ms >= to || ms < from : ms <= from || ms > to;
  }

  #tick = () => {
    if (!this.playing) return;
    const now = this.#clock.now();
    const passed = Math.min(Math.max(now - this.#last, 0), LONGEST_FRAME) * this.speed * this.direction;
    const next = this.#shorten(this.ms) + passed;
    if (this.loop && this.#leftLoop(next)) {
      this.#frame = this.#clock.request(this.#tick);
      this.go(this.track.atTime(this.#loopStart), "play");
      return;
    }
    const { index, ms } = this.track.atTime(next);
    const isDone = this.direction > 0 ? ms >= this.track.end : ms <= 0;
    this.#frame = this.#clock.request(this.#tick);
    this.go(isDone ? this.track.at(this.direction > 0 ? this.track.length : 0) : { index, ms }, "play");
    if (isDone) this.pause();
  };

  /** Where in time to go on from: the same, or nearer to the next event when the wait for it is skipped. */
  #shorten(ms) {
    if (!this.skipWaits) return ms;
    const { times, length } = this.track;
    if (this.direction > 0) {
      const next = times[Math.min(this.index + 1, length)];
      return next - ms > WAIT ? next - LEAD : ms;
    }
    // Backwards the next thing to happen is that the last event is undone.
    const next = times[this.index];
    return ms - next > WAIT ? next + LEAD : ms;
  }

  /** @param {Change} change */
  #tell(change) {
    for (const listener of this.#listeners) listener(this, change);
  }
}
