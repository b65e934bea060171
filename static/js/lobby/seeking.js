/** What the reader looks for, in a line: what, for how long, within which ratings, and how to stop. */

import { format, gettext } from "../text.js";

/**
 * @typedef {object} SeekCard see games/lobby/frames.py
 * @property {number} id @property {"quick"|"open"|"person"|"answer"} kind @property {string} game
 * @property {boolean} rated @property {string} facts @property {boolean} here @property {string} other
 * @property {boolean} paired @property {number} waited @property {[number, number, number, number]|null} reach
 */

export class Seeking {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {SeekCard|null} */
    this.seek = null;
    this.since = 0;
    this.timer = 0;
    this.isLost = false;
  }

  /** Without a line nobody knows what has become of it: no time is counted then. @param {boolean} isLost */
  setLost(isLost) {
    if (isLost === this.isLost) return;
    this.isLost = isLost;
    this.root.dataset.lost = String(isLost);
    if (!this.seek) return;
    clearInterval(this.timer);
    this.#put("what", isLost ? gettext("Connection lost. Reconnecting…") : whatOf(this.seek));
    if (isLost) {
      this.#put("time", "");
      this.#put("more", this.seek.facts);
    } else {
      this.#run();
    }
  }

  /** @param {SeekCard|null} seek */
  show(seek) {
    this.seek = seek;
    clearInterval(this.timer);
    this.root.hidden = seek === null;
    if (!seek) return;
    this.since = performance.now() - seek.waited;
    this.root.dataset.paired = String(seek.paired);
    this.#put("what", whatOf(seek));
    this.#part("cancel").hidden = seek.paired;
    this.#run();
  }

  #run() {
    this.#tick();
    if (!this.seek.paired) this.timer = setInterval(() => this.#tick(), 1000);
  }

  #tick() {
    const seconds = Math.max(0, Math.floor((performance.now() - this.since) / 1000));
    const { seek } = this;
    this.#put("time", seek.paired ? "" : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
    this.#put("more", moreOf(seek, seconds));
  }

  #part(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }

  #put(name, text) {
    const part = this.#part(name);
    if (part.textContent !== text) part.textContent = text;
  }
}

/** @param {SeekCard} seek */
function whatOf({ kind, paired, other }) {
  if (paired) return format(gettext("%(name)s is there. To the table…"), { name: other });
  if (kind === "person") return format(gettext("Waiting for %(name)s"), { name: other });
  if (kind === "open") return gettext("Your challenge is open");
  return gettext("Looking for an opponent");
}

/** @param {SeekCard} seek @param {number} seconds */
function moreOf({ facts, here, reach, paired }, seconds) {
  if (paired) return facts;
  if (!here) return `${facts} · ${gettext("in another tab of yours")}`;
  if (!reach) return facts;
  const [rating, first, widens, patience] = reach;
  if (seconds >= patience) return `${facts} · ${gettext("anybody")}`;
  // In steps of fifty: a number that changes every second is only noise.
  const range = Math.round((first + widens * seconds) / 50) * 50;
  return `${facts} · ${Math.round(rating - range)}–${Math.round(rating + range)}`;
}
