/** A small table of a moment, for the timeline under the pointer: the tops of all piles, and how many lie there. */

import { isFaceDown, isRed, parseCard, rankText } from "../cards/card.js";
import { arrange, cardsLeft } from "../table/layout.js";

const make = (className, ...children) => {
  const element = document.createElement("span");
  element.className = className;
  element.append(...children);
  return element;
};

/** @param {readonly string[]} pile @param {boolean} counts whether the number of cards is written */
function pileNode(pile, counts) {
  const card = pile.at(-1);
  const element = make("mini-pile");
  element.dataset.face = card === undefined ? "none" : isFaceDown(card) ? "down" : "up";
  if (card !== undefined && !isFaceDown(card)) {
    element.textContent = rankText(parseCard(card).rank);
    element.dataset.red = String(isRed(card));
  }
  if (counts && pile.length > 1) element.append(make("mini-count", String(pile.length)));
  return element;
}

/**
 * @param {import("../table/reducer.js").View} view
 * @param {0|1} bottom
 * @returns {HTMLElement}
 */
export function miniTable(view, bottom) {
  const layout = arrange(Object.keys(view.places), bottom);
  const piles = (places, counts = false) => places.map((place) => pileNode(view.places[place.name], counts));
  const row = (seat) => {
    const left = make("mini-left", String(cardsLeft(view, seat)));
    const element = make("mini-row", ...piles(layout.rows[seat]), left);
    element.dataset.seat = String(seat);
    return element;
  };
  const centre = make("mini-row mini-centre", ...piles(layout.piles[0], true), ...piles(layout.piles[1], true));
  return make("mini-table", row(1 - bottom), centre, row(bottom));
}
