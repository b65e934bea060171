/** A match in small: who plays, how many cards each has left, what lies on the piles. The only writer of its DOM. */

import { createCard, showCard } from "../cards/face.js";
import { put } from "../put.js";
import { isQuiet } from "../table/flight.js";
import { gettext, format } from "../text.js";

/**
 * @typedef {object} Channel as in docs/protocol.md
 * @property {string} slug
 * @property {string} url
 * @property {string} game
 * @property {string} name
 * @property {string} facts
 * @property {number} delay
 * @property {import("../table/board.js").SeatInfo[]} seats
 *
 * @typedef {[seq: number, round: number, phase: string, left0: number, left1: number, top0: string|null, top1: string|null]} Glance
 */

export class Thumbnail {
  /** @param {Channel} channel @param {(slug: string) => void} onPress */
  constructor(channel, onPress) {
    this.element = document.createElement("li");
    this.element.className = "thumb box box-link";
    this.element.dataset.slug = channel.slug;
    this.left = [];
    const above = this.#side(channel, 1, "a");
    const below = this.#side(channel, 0, "b");
    this.cards = [createCard(), createCard()];
    const piles = make("div", "thumb-piles");
    for (const card of this.cards) piles.append(card);
    const facts = make("p", "thumb-facts ellipsis", channel.facts);
    const press = make("button", "thumb-press");
    press.type = "button";
    press.setAttribute("aria-label", names(channel));
    press.addEventListener("click", () => onPress(channel.slug));
    const middle = make("div", "thumb-middle");
    middle.append(piles, facts);
    this.element.append(above, middle, below, press);
    for (const card of this.cards) card.dataset.shows = "none";
  }

  #side(channel, seat, tone) {
    const { name, rating, provisional } = channel.seats[seat];
    const line = make("p", "thumb-side");
    const who = make("span", `name ellipsis seat-${tone}`, name);
    who.dir = "auto";
    const stands = make("span", "rating small", rating ? `${rating}${provisional ? "?" : ""}` : "");
    const left = (this.left[seat] = make("b", "thumb-left"));
    line.append(who, stands, left);
    return line;
  }

  /** @param {Glance} glance */
  show([seq, , phase, left0, left1, ...tops]) {
    this.element.dataset.seq = String(seq);
    this.element.dataset.phase = phase;
    [left0, left1].forEach((left, seat) => put(this.left[seat], String(left)));
    tops.forEach((top, pile) => {
      // The pile that the seat below starts lies on the right, as at the table.
      const card = this.cards[1 - pile];
      if (top === null) card.dataset.shows = "none";
      else if (card.dataset.shows !== top) {
        showCard(card, top);
        // What has changed is seen to have changed.
        card.animate?.([{ scale: "1.12" }, { scale: "1" }], { duration: isQuiet() ? 0 : 180, easing: "ease-out" });
      }
    });
  }
}

/** @param {Channel} channel */
export const names = ({ seats }) =>
  format(gettext("Watch %(one)s against %(other)s"), { one: seats[0].name, other: seats[1].name });

function make(tag, className, text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}
