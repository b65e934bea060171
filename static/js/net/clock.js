/**
 * The server's match clock, as well as it can be known here.
 *
 * A message says what time it was when it was sent; it can only arrive later. So the sample that puts the server's clock
 * furthest ahead travelled fastest and is the best one. Old samples fade, since two clocks drift.
 */

/** How far the estimate falls back per ms, to follow a drift of clocks: 0.1 %. */
const FADE = 0.001;

export class ServerClock {
  /** @param {() => number} [local] ms of a steady local clock */
  constructor(local = () => performance.now()) {
    this.local = local;
    /** What to add to the local clock; null before the first sample. @type {number|null} */
    this.offset = null;
    this.sampledAt = 0;
    /** How often it was set anew: what runs by it has to be set anew too. */
    this.resets = 0;
    /** Where it stands, while the server's stands still. @type {number|null} */
    this.stoodAt = null;
  }

  /** Take the time that a message says it is. @param {number} now ms since the start of the match */
  sample(now) {
    const at = this.local();
    const offset = now - at;
    const faded = this.offset === null ? -Infinity : this.offset - (at - this.sampledAt) * FADE;
    if (offset >= faded) {
      this.offset = offset;
      this.sampledAt = at;
    }
  }

  /** Forget the samples: another line, perhaps another server. It runs. */
  reset() {
    this.offset = null;
    this.stoodAt = null;
    this.resets += 1;
  }

  get isStopped() {
    return this.stoodAt !== null;
  }

  /** The server's clock stands still from now on. */
  stop() {
    this.stoodAt ??= this.now();
  }

  /** It runs again, from where it stood. */
  goOn() {
    if (this.stoodAt === null) return;
    this.offset = this.stoodAt - this.local();
    this.sampledAt = this.local();
    this.stoodAt = null;
  }

  /** Milliseconds since the start of the match; 0 before the first sample. */
  now() {
    if (this.stoodAt !== null) return this.stoodAt;
    return this.offset === null ? 0 : this.local() + this.offset;
  }
}
