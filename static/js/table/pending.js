/**
 * What was sent and not yet answered, and how the table looks if it is accepted.
 *
 * Everything in the server's view happened before what is still on its way. So a play that no longer fits the view it
 * would land on is shown as gone back at once; the reason comes with the server's refusal.
 */

import { fits, isPlayable, sourceOf, supplyOf } from "./legal.js";
import { move } from "./reducer.js";

/**
 * @typedef {object} Sent
 * @property {string} id
 * @property {{t: string, id: string, round?: number, card?: string, to?: string, place?: string, pile?: string}} message
 * @property {number} at local ms
 * @property {string} [from] the place that it is about: where a played card lay
 */

export class Pending {
  constructor() {
    /** @type {Map<string, Sent>} */
    this.sent = new Map();
  }

  /** @param {Sent} sent */
  add(sent) {
    this.sent.set(sent.id, sent);
  }

  /** The server has answered. @param {string|undefined} id @returns {Sent|undefined} */
  settle(id) {
    if (id === undefined) return undefined;
    const sent = this.sent.get(id);
    this.sent.delete(id);
    return sent;
  }

  /** Whether a command of that kind, for that round, waits for its answer. @param {string} kind @param {number} [round] */
  has(kind, round) {
    return [...this.sent.values()].some(({ message }) => message.t === kind && message.round === round);
  }

  /** Whether a command about that place waits for its answer. @param {string} place */
  isAbout(place) {
    return [...this.sent.values()].some(({ message }) => message.place === place);
  }

  get messages() {
    return [...this.sent.values()].map((sent) => sent.message);
  }

  /**
   * The view with everything done that is still on its way.
   * @param {import("./legal.js").MatchInfo} match
   * @param {import("./reducer.js").View} view
   * @param {0|1|null} seat
   * @returns {{view: import("./reducer.js").View, places: string[]}} and the places whose top card is not certain
   */
  overlay(match, view, seat) {
    if (seat === null || !this.sent.size) return { view, places: [] };
    let after = view;
    const places = new Set();
    for (const { message } of this.sent.values()) {
      if (message.round !== view.status.round) continue;
      const next = foresee(match, after, seat, message);
      if (next.places !== after.places) places.add(message.to ?? message.place);
      after = next;
    }
    return { view: after, places: [...places] };
  }
}

/** The view after a command of `seat` if it is accepted, or the same view when it would not be. */
function foresee(match, view, seat, message) {
  const { status } = view;
  const said = () => {
    const ready = [...status.ready];
    ready[seat] = true;
    return { ...view, status: { ...status, ready } };
  };
  switch (message.t) {
    case "play": {
      const from = sourceOf(view, seat, message.card);
      const top = view.places[message.to]?.at(-1);
      if (!isPlayable(view) || !from || !fits(match, message.card, top)) return view;
      return { ...view, places: move(view.places, [[message.card, from, message.to]]) };
    }
    case "move": {
      const from = sourceOf(view, seat, message.card);
      if (!isPlayable(view) || !from || from === message.to || view.places[message.to]?.length !== 0) return view;
      return { ...view, places: move(view.places, [[message.card, from, message.to]]) };
    }
    case "refill": {
      const supply = supplyOf(view, seat);
      if (!isPlayable(view) || !view.places[supply]?.length || view.places[message.place]?.length !== 0) return view;
      // Which card it is comes with the event.
      return { ...view, places: move(view.places, [["-", supply, message.place]]) };
    }
    case "ready":
      return status.phase === "ready" ? said() : view;
    case "spit":
      return isPlayable(view) ? said() : view;
    case "choose": {
      if (status.phase !== "stuck") return view;
      const starts = [...status.starts];
      starts[seat] = message.pile;
      return { ...view, status: { ...status, starts, alone: seat } };
    }
    default:
      return view;
  }
}
