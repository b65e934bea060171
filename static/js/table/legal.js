/**
 * The little that the page knows of the rules, to show a play at once and to help: which card fits where, and who may
 * choose. The server judges everything (G1); a mistake here could only show a card a moment too early or too late.
 */

import { isFaceDown, isRed, neighbours, parseCard } from "../cards/card.js";
import { SUPPLIES, parsePlace } from "./layout.js";

/**
 * @typedef {import("./reducer.js").View} View
 * @typedef {{options?: {alternate?: boolean, handling?: string, slap?: boolean}}} MatchInfo
 * @typedef {{card: string, from: string, to: string}} Play
 */

const ROWS = new Set(["stockpile", "row", "hand"]);

/** The places of a seat's row, in order of number. @param {View} view @param {0|1} seat */
export const rowOf = (view, seat) =>
  Object.keys(view.places)
    .map(parsePlace)
    .filter((place) => place.seat === seat && ROWS.has(place.role))
    .sort((a, b) => a.number - b.number)
    .map((place) => place.name);

/** What a seat turns its cards from, if the game has that. @param {View} view @param {0|1} seat @returns {string|undefined} */
export const supplyOf = (view, seat) =>
  Object.keys(view.places).find((name) => {
    const place = parsePlace(name);
    return place.seat === seat && SUPPLIES.has(place.role);
  });

/** The centre piles, by number. @param {View} view */
export const centreOf = (view) => Object.keys(view.places).filter((name) => name.startsWith("centre."));

/** Whether a card may go on a centre pile with that top (G2, V3). @param {MatchInfo} match */
export function fits(match, card, top) {
  if (isFaceDown(card) || top === undefined || isFaceDown(top)) return false;
  if (match.options?.alternate && isRed(card) === isRed(top)) return false;
  return neighbours(parseCard(top).rank).includes(parseCard(card).rank);
}

export const isPlayable = (view) => view.status.phase === "playing" || view.status.phase === "stuck";

/** The own place whose top, face up, is that card. @param {View} view @param {0|1} seat @returns {string|undefined} */
export const sourceOf = (view, seat, card) => rowOf(view, seat).find((name) => view.places[name].at(-1) === card);

/** All legal plays of a seat with what is face up (G2). @param {MatchInfo} match @param {View} view @param {0|1} seat */
export function playsOf(match, view, seat) {
  /** @type {Play[]} */
  const plays = [];
  if (!isPlayable(view)) return plays;
  for (const from of rowOf(view, seat)) {
    const card = view.places[from].at(-1);
    if (card === undefined || isFaceDown(card)) continue;
    for (const to of centreOf(view)) if (fits(match, card, view.places[to].at(-1))) plays.push({ card, from, to });
  }
  return plays;
}

/** Moves into an empty place of the own stockpiles that turn up a card (S3, G5). @param {View} view @param {0|1} seat */
export function usefulMovesOf(view, seat) {
  const row = rowOf(view, seat).filter((name) => parsePlace(name).role === "stockpile");
  const to = row.find((name) => !view.places[name].length);
  if (!to || !isPlayable(view)) return [];
  return row
    .filter((from) => view.places[from].length > 1 && !isFaceDown(view.places[from].at(-1)))
    .map((from) => ({ card: view.places[from].at(-1), from, to }));
}

/** By hand: the own places whose top can be turned up, or that can be filled (G12). @param {MatchInfo} match @param {View} view @param {0|1} seat */
export function handActionsOf(match, view, seat) {
  if (match.options?.handling !== "by_hand" || !isPlayable(view)) return [];
  const hasSupply = view.places[supplyOf(view, seat)]?.length > 0;
  return rowOf(view, seat).filter((name) => {
    const top = view.places[name].at(-1);
    return top === undefined ? hasSupply && parsePlace(name).role !== "stockpile" : isFaceDown(top);
  });
}

/** The places where the top of an own place may go. @param {MatchInfo} match @param {View} view @param {0|1} seat */
export function targetsOf(match, view, seat, from) {
  const card = view.places[from]?.at(-1);
  if (card === undefined || isFaceDown(card)) return [];
  const piles = centreOf(view).filter((to) => fits(match, card, view.places[to].at(-1)));
  const spaces = parsePlace(from).role === "stockpile" ? rowOf(view, seat).filter((name) => !view.places[name].length) : [];
  return [...piles, ...spaces];
}

/** The only seat with cards to turn, in a round of two piles, when stuck: it spits alone (S5). @param {View} view */
export function spitsAlone(view) {
  const { starts, phase } = view.status;
  if (phase !== "stuck" || starts.includes(null)) return null;
  const turning = [0, 1].filter((seat) => view.places[supplyOf(view, seat)]?.length);
  return turning.length === 1 && supplyOf(view, 0)?.endsWith("spit") ? turning[0] : null;
}

/** Whether the seat may now choose the pile it spits on (S5). @param {View} view @param {0|1} seat */
export const mayChooseStart = (view, seat) => spitsAlone(view) === seat && view.status.alone === null;
