/**
 * What pressing a place means now. Mouse, touch and keys all end here: one door from the hand to the commands.
 */

import { isFaceDown } from "../cards/card.js";
import { parsePlace } from "./layout.js";
import { centreOf, isPlayable, mayChooseStart, rowOf, supplyOf, targetsOf } from "./legal.js";
import { canCall } from "./prompt.js";

export class Actions {
  /**
   * @param {import("./session.js").Session} session
   * @param {{onSelect: () => void, onBlocked: (place: string) => void, settings: import("./settings.js").Settings,
   *   nearest?: (from: string, among: string[]) => string}} page
   */
  constructor(session, { onSelect, onBlocked, settings, nearest = (from, [first]) => first }) {
    this.nearest = nearest;
    this.session = session;
    this.onSelect = onSelect;
    this.onBlocked = onBlocked;
    this.settings = settings;
    /** The own place whose card is held. @type {string|null} */
    this.selected = null;
  }

  get view() {
    return this.session.view && this.session.shown.view;
  }

  /** Let go of what can no longer be held. */
  refresh() {
    if (this.selected && !this.canHold(this.selected)) this.selected = null;
  }

  /** Whether the top of that place is a card that can be picked up now. @param {string|null} name */
  canHold(name) {
    const { view, session } = this;
    if (!view || !name || !session.canAct || !isPlayable(view)) return false;
    const top = view.places[name]?.at(-1);
    return top !== undefined && !isFaceDown(top) && rowOf(view, session.you).includes(name);
  }

  select(name) {
    if (this.selected === name) return;
    this.selected = name;
    this.onSelect();
  }

  /** The places to which the held card can go. */
  targets() {
    return this.selected ? targetsOf(this.session.match, this.view, this.session.you, this.selected) : [];
  }

  /** Places on which a held card can be dropped. */
  drops() {
    const { view, session } = this;
    return [...centreOf(view), ...rowOf(view, session.you).filter((name) => !view.places[name].length)];
  }

  /** A place was pressed. @param {string} name @returns {boolean} whether that meant something */
  press(name) {
    const { view, session } = this;
    if (!view || session.you === null) return false;
    if (!session.canAct) {
      this.onBlocked(name);
      return false;
    }
    const place = parsePlace(name);
    if (place.role === "centre") return this.#pressCentre(view, name);
    if (place.seat !== session.you) return false;
    if (name === supplyOf(view, session.you)) return this.go();
    return this.#pressOwn(view, name);
  }

  #pressCentre(view, pile) {
    const { session } = this;
    const { phase, chooser, round } = view.status;
    if (phase === "slap") {
      if (chooser === session.you) return this.#once("choose", { round, pile });
      return chooser === null && this.#once("slap", { round, pile });
    }
    if (this.selected) return this.put(this.selected, pile);
    return mayChooseStart(view, session.you) && this.#once("choose", { round, pile });
  }

  #pressOwn(view, name) {
    const top = view.places[name].at(-1);
    const byHand = this.session.match.options?.handling === "by_hand";
    if (top === undefined && this.selected) return this.put(this.selected, name);
    if (top === undefined || isFaceDown(top)) {
      const t = top === undefined && parsePlace(name).role !== "stockpile" ? "refill" : "flip";
      if (!byHand || !isPlayable(view) || this.session.pending.isAbout(name)) return false;
      if (t === "flip" && top === undefined) return false;
      return this.session.command({ t, round: view.status.round, place: name }, name);
    }
    if (!this.canHold(name)) return false;
    if (this.settings.oneTap) {
      const fitting = this.#fitting(name);
      if (fitting.length === 1) return this.put(name, fitting[0]);
      // On two piles: which one is asked by taking the card up; pressed once more, it goes to the nearer.
      if (fitting.length && this.selected === name) return this.put(name, this.nearest(name, fitting));
    }
    this.select(this.selected === name ? null : name);
    return true;
  }

  /** Where a card goes by itself: piles that it fits on, else a space if that turns up a card (G5). @param {string} name */
  #fitting(name) {
    const { view, session } = this;
    const targets = targetsOf(session.match, view, session.you, name);
    const piles = targets.filter((to) => parsePlace(to).role === "centre");
    return piles.length || view.places[name].length < 2 ? piles : targets.slice(0, 1);
  }

  /** Whether pressing the held card once more does something else than to put it back. */
  get playsAgain() {
    return this.settings.oneTap && this.selected !== null && this.#fitting(this.selected).length > 1;
  }

  /** Put the top of an own place on another place. */
  put(from, to) {
    const { view, session } = this;
    const card = view.places[from]?.at(-1);
    this.select(null);
    if (card === undefined || isFaceDown(card)) return false;
    if (!session.canAct) {
      this.onBlocked(from);
      return false;
    }
    const { round } = view.status;
    return session.command({ t: parsePlace(to).role === "centre" ? "play" : "move", round, card, to }, from);
  }

  /** Ready, or spit: whatever the space bar means now (G6). */
  go() {
    const { view, session } = this;
    if (!view || session.you === null) return false;
    if (!session.canAct) {
      this.onBlocked(supplyOf(view, session.you));
      return false;
    }
    const { phase, round, ready } = view.status;
    if (phase === "ready") return !ready[session.you] && this.#once("ready", { round });
    return canCall(view, session.you) && this.#once("spit", { round });
  }

  resign() {
    return this.session.command({ t: "resign" });
  }

  offerRematch() {
    return !this.session.pending.has("rematch") && this.session.command({ t: "rematch" });
  }

  #once(t, fields) {
    return !this.session.pending.has(t, fields.round) && this.session.command({ t, ...fields }, fields.pile);
  }
}

