/** The element of one card: rank, suit, or a back. Pure looks; where it lies is the board's affair. */

import { parseCard, rankText } from "./card.js";
import { SUIT_PATHS } from "./suits.js";

const SVG = "http://www.w3.org/2000/svg";

/** A suit as an SVG element. @param {string} suit */
export function suitIcon(suit) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "suit");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  if (suit) path.setAttribute("d", SUIT_PATHS[suit]);
  svg.append(path);
  return svg;
}

/** An empty card element, to be filled by `showCard`. Its children: the rank, the suit, the back. */
export function createCard() {
  const element = document.createElement("span");
  element.className = "card";
  const rank = document.createElement("span");
  rank.className = "card-rank";
  // An element and no ::before, for to animate a pseudo-element the browser has to lay out the page at once.
  const back = document.createElement("span");
  back.className = "card-back";
  element.append(rank, suitIcon(""), back);
  return element;
}

/**
 * Make the element show a card. A face-down card whose face is known is a back, or, with `reveal`, its face in a
 * muted print (a replay with everything open).
 * @param {HTMLElement} element from `createCard`
 * @param {string} text
 * @param {boolean} [reveal]
 */
export function showCard(element, text, reveal = false) {
  const wanted = reveal ? text : text[0] === "-" ? "-" : text;
  if (element.dataset.shows === wanted) return;
  element.dataset.shows = wanted;
  const { rank, suit, faceDown, known } = parseCard(wanted);
  element.dataset.face = faceDown ? (known ? "peek" : "down") : "up";
  element.dataset.suit = suit;
  element.children[0].textContent = rankText(rank);
  element.classList.toggle("card-ten", rank === "T");
  if (suit) element.children[1].firstElementChild.setAttribute("d", SUIT_PATHS[suit]);
}
