/** One place on the board: its few visible cards, the count, the key that plays it. */

import { cardName, isFaceDown, isRed, neighbours, parseCard, rankText } from "../cards/card.js";
import { createCard, showCard } from "../cards/face.js";
import { put } from "../put.js";
import { format, gettext, ngettext } from "../text.js";
import { halt } from "./flight.js";

/** As many cards of a pile have an element: the top and the edges of what lies under it. */
const SHOWN = 4;

export class PlaceView {
  /**
   * @param {import("./layout.js").PlaceName} place
   * @param {{interactive: boolean, alternate?: boolean}} options whether people press it; whether colours alternate (V3)
   */
  constructor(place, { interactive, alternate = false }) {
    this.place = place;
    this.alternate = alternate;
    /** @type {readonly string[]} */
    this.pile = [];
    this.reveal = false;
    /** The elements of the top cards, by index in the pile. @type {Map<number, HTMLElement>} */
    this.cards = new Map();
    /** Those that show nothing now: they stay in the page, for to put one there is dear. @type {HTMLElement[]} */
    this.spare = [];

    this.element = document.createElement(interactive ? "button" : "div");
    if (interactive) this.element.type = "button";
    else this.element.setAttribute("role", "img");
    this.element.className = "place";
    this.element.dataset.place = place.name;
    this.element.dataset.role = place.role;
    this.stack = this.#child("place-stack");
    this.count = this.#child("place-count");
    if (place.role === "centre") this.whisper = this.#child("place-whisper");
    this.key = this.#child("place-key");
    this.key.hidden = true;
    this.#describe();
  }

  #child(className) {
    const element = document.createElement("span");
    element.className = className;
    element.setAttribute("aria-hidden", "true");
    this.element.append(element);
    return element;
  }

  /** The element of the card at an index, if it is one of those shown. @returns {HTMLElement|undefined} */
  cardAt(index) {
    return this.cards.get(index);
  }

  /** The element of the top card. @returns {HTMLElement|undefined} */
  get top() {
    return this.cards.get(this.pile.length - 1);
  }

  /**
   * Show a pile.
   * @param {readonly string[]} pile
   * @param {boolean} reveal whether known faces of face-down cards are printed
   */
  show(pile, reveal) {
    if (pile === this.pile && reveal === this.reveal) return;
    this.pile = pile;
    this.reveal = reveal;
    const lowest = Math.max(0, pile.length - SHOWN);
    const leaving = [...this.cards.keys()].filter((index) => index < lowest || index >= pile.length);
    if (leaving.length === this.cards.size) this.#renumber(lowest, pile.length);
    for (const [index, card] of this.cards) {
      if (index < lowest || index >= pile.length) {
        this.cards.delete(index);
        halt(card);
        card.dataset.depth = "none";
        this.spare.push(card);
      }
    }
    for (let index = pile.length - 1; index >= lowest; index -= 1) {
      let card = this.cards.get(index);
      if (!card) {
        card = this.spare.pop() ?? this.stack.appendChild(createCard());
        this.cards.set(index, card);
      }
      showCard(card, pile[index], reveal);
      const depth = String(pile.length - 1 - index);
      if (card.dataset.depth !== depth) card.dataset.depth = depth;
    }
    this.#describe();
  }

  /**
   * None of the cards shown stays: their elements, in their order, become those of the new ones. To take them out and put
   * them in again would cost ten times as much, and a seek in a replay does that to every pile.
   */
  #renumber(lowest, end) {
    const elements = [...this.cards].sort(([one], [other]) => one - other).map(([, card]) => card);
    const kept = elements.slice(0, end - lowest);
    const rest = elements.slice(kept.length);
    this.cards.clear();
    kept.forEach((card, at) => {
      halt(card);
      this.cards.set(lowest + at, card);
    });
    // Taken out as before: at indices where no card can be.
    rest.forEach((card, at) => this.cards.set(-1 - at, card));
  }

  #describe() {
    const { element, pile } = this;
    const top = pile.at(-1);
    element.dataset.count = String(pile.length);
    if (top === undefined) delete element.dataset.card;
    else element.dataset.card = isFaceDown(top) ? "-" : top;
    put(this.count, pile.length ? String(pile.length) : "");
    if (this.whisper) put(this.whisper, this.#fitting(top));
    element.setAttribute("aria-label", this.#label());
  }

  /** What fits on a centre pile, in short. @param {string|undefined} top */
  #fitting(top) {
    if (top === undefined || isFaceDown(top)) return "";
    const ranks = neighbours(parseCard(top).rank).map(rankText).join(" · ");
    if (!this.alternate) return ranks;
    return format(isRed(top) ? gettext("black %(ranks)s") : gettext("red %(ranks)s"), { ranks });
  }

  #label() {
    const { place, pile } = this;
    const number = place.number;
    const names = {
      stockpile: () => format(gettext("Stockpile %(number)s"), { number }),
      row: () => format(gettext("Row %(number)s"), { number }),
      hand: () => format(gettext("Hand %(number)s"), { number }),
      spit: () => gettext("Spit cards"),
      deck: () => gettext("Deck"),
      stock: () => gettext("Stock"),
      side: () => gettext("Side pile"),
      pack: () => gettext("Pack"),
      centre: () => (this.element.dataset.side === "left" ? gettext("Left pile") : gettext("Right pile")),
    };
    const name = names[place.role]();
    if (!pile.length) return format(gettext("%(place)s: empty"), { place: name });
    const size = format(ngettext("%(count)s card", "%(count)s cards", pile.length), { count: pile.length });
    const top = pile.at(-1);
    if (isFaceDown(top)) return format(gettext("%(place)s: %(size)s, face down"), { place: name, size });
    return format(gettext("%(place)s: %(card)s, %(size)s"), { place: name, card: cardName(top), size });
  }

  /** Tell the label on which side of the clock a centre pile is drawn. @param {"left"|"right"} side */
  setSide(side) {
    this.element.dataset.side = side;
    this.#describe();
  }
}
