/**
 * A session (table/session.js) without a server, for one person at a table of their own: it answers at once, and knows
 * just enough of Spit for the lessons. What the hands do goes through the same `Actions` as at the live table.
 */

import { isFaceDown } from "../cards/card.js";
import { fits, isPlayable, sourceOf, supplyOf } from "../table/legal.js";
import { apply } from "../table/reducer.js";

/**
 * @typedef {import("../table/reducer.js").View} View
 * @typedef {{t: string, card?: string, to?: string, pile?: string}} Command
 *
 * @typedef {object} Pupil
 * @property {() => void} onChange the view is another one
 * @property {(command: Command) => boolean} isAsked whether it is the turn of that command, which is legal
 * @property {(command: Command) => void} onDone the command was done, and is in the view
 * @property {(command: Command, refusal: {code: string, by?: 0|1, late?: number}, from?: string) => void} onRefused
 */

/** Faster than the pupil by so many ms, in the race that is lost. */
const LATE_MS = 140;

export class Tutor {
  /** @param {{name: string}[]} seats @param {Pupil} pupil */
  constructor(seats, pupil) {
    this.match = { seats, options: {} };
    this.you = /** @type {0} */ (0);
    this.pupil = pupil;
    this.canAct = true;
    /** Nothing is ever on its way here. */
    this.pending = { has: () => false, sent: new Map() };
    /** @type {View|null} */
    this.view = null;
    /** The play of the other seat that comes first when the pupil goes for the same pile. @type {[string, string, string]|null} */
    this.rival = null;
  }

  get shown() {
    return { view: this.view, places: [] };
  }

  /** Lay out a position. @param {Record<string, string[]>} places @param {string} phase */
  layOut(places, phase) {
    const seq = (this.view?.seq ?? 0) + 1;
    const status = {
      phase,
      round: 1,
      since: 0,
      due: null,
      ready: [false, false],
      turns: 0,
      starts: ["centre.0", "centre.1"],
      alone: null,
      chooser: null,
      result: null,
    };
    this.view = /** @type {View} */ ({ seq, at: 0, places, status });
    this.pupil.onChange();
  }

  /** @param {string} phase */
  setPhase(phase) {
    this.#happen("status", [], phase);
  }

  /** What the hands ask for. @param {Command} command @param {string} [from] */
  command(command, from) {
    const code = this.#judge(command);
    if (code) this.pupil.onRefused(command, code === "pile_changed" ? { code, by: 1, late: LATE_MS } : { code }, from);
    else this.pupil.onDone(command);
    return true;
  }

  /** Do it, or say why not. @param {Command} command @returns {string|null} a code of the protocol's refusals, or `later` */
  #judge(command) {
    const { view, match } = this;
    const { t, card, to } = command;
    const isAsked = () => this.pupil.isAsked(command);
    switch (t) {
      case "ready":
      case "spit":
        if (!isAsked()) return "later";
        this.#turn();
        return null;
      case "play": {
        const from = sourceOf(view, 0, card);
        if (!isPlayable(view) || !from) return "not_now";
        if (!fits(match, card, view.places[to].at(-1))) return "not_adjacent";
        if (!isAsked()) return "later";
        if (this.rival?.[2] === to) {
          this.#happen("played", [this.rival]);
          this.rival = null;
          return "pile_changed";
        }
        this.#put(card, from, to);
        return null;
      }
      case "move": {
        const from = sourceOf(view, 0, card);
        if (!isPlayable(view) || !from || view.places[to].length) return "place_taken";
        if (!isAsked()) return "later";
        this.#put(card, from, to);
        return null;
      }
      default:
        return isAsked() ? null : "later"; // A slap.
    }
  }

  /** Put a card down; the one below it turns up by itself. */
  #put(card, from, to) {
    const below = this.view.places[from].at(-2);
    const moves = [[card, from, to]];
    if (below !== undefined && isFaceDown(below)) moves.push([below.slice(1), from, from]);
    this.#happen("played", moves);
  }

  /** Both turn a spit card. */
  #turn() {
    const moves = [0, 1].map((seat) => {
      const supply = supplyOf(this.view, /** @type {0|1} */ (seat));
      return [this.view.places[supply].at(-1).slice(1), supply, `centre.${seat}`];
    });
    this.#happen("turned", moves, "playing");
  }

  #happen(kind, moves, phase = this.view.status.phase) {
    this.view = apply(this.view, /** @type {any} */ ({ kind, at: 0, moves, status: { ...this.view.status, phase } }));
    this.pupil.onChange();
  }
}
