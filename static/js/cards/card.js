/**
 * Cards as strings, as docs/replay-format.md has them: `"7h"` face up, `"-7h"` face down, `"-"` unknown, `"7h'"` of the
 * second pack.
 */

import { format, gettext } from "../text.js";

export const RANKS = "A23456789TJQK";
export const BACK = "-";

/**
 * @typedef {object} Card
 * @property {string} rank one of `RANKS`, "" when unknown
 * @property {string} suit `c`, `d`, `h` or `s`, "" when unknown
 * @property {boolean} faceDown how it lies
 * @property {boolean} known whether the reader may know its face
 */

/** @type {Map<string, Card>} */
const parsed = new Map();

/**
 * Read a card. The same string gives the same object.
 * @param {string} text
 * @returns {Readonly<Card>}
 */
export function parseCard(text) {
  let card = parsed.get(text);
  if (!card) {
    const faceDown = text[0] === BACK;
    const face = faceDown ? text.slice(1) : text;
    card = Object.freeze({ rank: face[0] ?? "", suit: face[1] ?? "", faceDown, known: face !== "" });
    parsed.set(text, card);
  }
  return card;
}

/** The card whatever way up it lies; "" when unknown. @param {string} text */
export const identity = (text) => (text[0] === BACK ? text.slice(1) : text);

/** @param {string} text */
export const isFaceDown = (text) => text[0] === BACK;

/** @param {string} text a card whose face is known */
export const isRed = (text) => "dh".includes(parseCard(text).suit);

/**
 * The two ranks next to a rank, going round from king to ace (G2).
 * @param {string} rank
 * @returns {[string, string]} the lower and the higher
 */
export function neighbours(rank) {
  const index = RANKS.indexOf(rank);
  return [RANKS[(index + 12) % 13], RANKS[(index + 1) % 13]];
}

/** A rank as it is printed: the ten has two figures. @param {string} rank */
export const rankText = (rank) => (rank === "T" ? "10" : rank);

const SUIT_NAMES = {
  c: gettext("clubs"),
  d: gettext("diamonds"),
  h: gettext("hearts"),
  s: gettext("spades"),
};

/** A rank as it is spoken. @param {string} rank */
export function rankName(rank) {
  const names = { A: gettext("ace"), J: gettext("jack"), Q: gettext("queen"), K: gettext("king") };
  return names[rank] ?? rankText(rank);
}

/** A card as it is spoken: "queen of hearts". @param {string} text */
export function cardName(text) {
  const card = parseCard(text);
  if (!card.known) return gettext("a face-down card");
  return format(gettext("%(rank)s of %(suit)s"), { rank: rankName(card.rank), suit: SUIT_NAMES[card.suit] });
}
