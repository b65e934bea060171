/**
 * What changed between two sets of piles: which cards went where, which were turned over. The board animates the
 * difference, whatever brought it about: an event, a play shown before its time, one taken back, a jump in a replay.
 *
 * @typedef {object} Spot
 * @property {string} place
 * @property {number} index from the bottom of the pile
 *
 * @typedef {object} Difference
 * @property {{from: Spot, to: Spot, flipped: boolean}[]} moves
 * @property {Spot[]} flips
 */

import { identity, isFaceDown } from "../cards/card.js";

/**
 * @param {Readonly<Record<string, readonly string[]>>} before
 * @param {Readonly<Record<string, readonly string[]>>} after
 * @returns {Difference}
 */
export function diff(before, after) {
  /** @type {(Spot & {card: string})[]} */
  const gone = [];
  /** @type {(Spot & {card: string})[]} */
  const come = [];
  const flips = [];
  for (const place in after) {
    const old = before[place] ?? [];
    const now = after[place];
    if (old === now) continue;
    const shared = Math.min(old.length, now.length);
    let same = 0;
    while (same < shared && isSame(old[same], now[same])) same += 1;
    for (let index = 0; index < same; index += 1) {
      if (isFaceDown(old[index]) !== isFaceDown(now[index])) flips.push({ place, index });
    }
    for (let index = old.length - 1; index >= same; index -= 1) gone.push({ place, index, card: old[index] });
    for (let index = same; index < now.length; index += 1) come.push({ place, index, card: now[index] });
  }
  return { moves: pair(gone, come), flips };
}

/** Whether two cards in the same spot may be one and the same card. */
function isSame(one, other) {
  const a = identity(one);
  const b = identity(other);
  // A back that shows its face where it lies was turned; a face that became a back is another card.
  return a === b || (a === "" && isFaceDown(one));
}

/** Find for each card that came the one that went: by its face, else a back of the same seat, else any back. */
function pair(gone, come) {
  const byFace = new Map();
  const backs = [];
  for (const spot of gone) {
    const face = identity(spot.card);
    if (face) byFace.set(face, spot);
    else backs.push(spot);
  }
  const moves = [];
  const later = [];
  const add = (from, to) =>
    moves.push({
      from: { place: from.place, index: from.index },
      to: { place: to.place, index: to.index },
      flipped: isFaceDown(from.card) !== isFaceDown(to.card),
    });
  for (const spot of come) {
    const face = identity(spot.card);
    const from = face && byFace.get(face);
    if (from) {
      byFace.delete(face);
      if (from.place !== spot.place) add(from, spot);
    } else later.push(spot);
  }
  // What is left on either side is a card of which one end is hidden.
  const rest = [...backs, ...byFace.values()];
  for (const spot of later) {
    const own = rest.findIndex((from) => from.place[0] === spot.place[0] && from.place !== spot.place);
    const index = own >= 0 ? own : rest.findIndex((from) => from.place !== spot.place);
    if (index < 0) continue;
    add(rest.splice(index, 1)[0], spot);
  }
  return moves;
}
