/** The scale of the timeline: which part of the match is in sight, and where a moment lies in it. */

/** No closer than this many milliseconds from edge to edge. */
const CLOSEST = 2000;
/** Room at either edge, so that the first and the last mark are whole, px. */
const EDGE = 8;

export class Scale {
  /** @param {number} end ms; the whole match is 0 to `end` */
  constructor(end) {
    this.end = Math.max(end, 1);
    this.from = 0;
    this.to = this.end;
    this.width = 1;
  }

  get span() {
    return this.to - this.from;
  }

  /** The px from the first to the last moment in sight. */
  get room() {
    return Math.max(1, this.width - 2 * EDGE);
  }

  get isWhole() {
    return this.from <= 0 && this.to >= this.end;
  }

  /** The place of a time, px from the left edge; outside of 0 to `width` when out of sight. @param {number} ms */
  x(ms) {
    return EDGE + ((ms - this.from) / this.span) * this.room;
  }

  /** The time at a place, ms, within the match. @param {number} x */
  ms(x) {
    return Math.min(Math.max(this.from + ((x - EDGE) / this.room) * this.span, 0), this.end);
  }

  /** Show a part of the match; it is kept within it. @param {number} from @param {number} span */
  show(from, span) {
    const wide = Math.min(Math.max(span, Math.min(CLOSEST, this.end)), this.end);
    this.from = Math.min(Math.max(from, 0), this.end - wide);
    this.to = this.from + wide;
  }

  /** Zoom about a time, which stays where it is. @param {number} factor above 1: closer @param {number} about ms */
  zoom(factor, about) {
    const share = (about - this.from) / this.span;
    const span = Math.min(Math.max(this.span / factor, Math.min(CLOSEST, this.end)), this.end);
    this.show(about - share * span, span);
  }

  /** Move the part in sight. @param {number} by px */
  pan(by) {
    this.show(this.from + (by / this.room) * this.span, this.span);
  }

  /** Keep a time in sight; whether the part in sight had to move. @param {number} ms */
  follow(ms) {
    if (this.isWhole) return false;
    const margin = this.span * 0.08;
    if (ms >= this.from + margin && ms <= this.to - margin) return false;
    const before = this.from;
    // Ahead of the playhead there is more to see than behind it; a jump back lands in the middle.
    const isAhead = ms > this.to - margin && ms < this.to + this.span;
    this.show(ms - this.span * (isAhead ? 0.15 : 0.5), this.span);
    return this.from !== before;
  }
}
