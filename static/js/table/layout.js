/**
 * Where the places of a table are drawn, from their names alone: `[seat.]role[.number]`.
 *
 * The table is turned so that the seat at the bottom has its own row below and the pile it starts on its right hand; for
 * the seat above it is the same, seen from there.
 */

/**
 * @typedef {object} PlaceName
 * @property {string} name
 * @property {0|1|null} seat
 * @property {string} role
 * @property {number|null} number
 *
 * @typedef {object} Layout
 * @property {[PlaceName[], PlaceName[]]} rows by seat, from left to right as drawn
 * @property {[PlaceName[], PlaceName[]]} supplies by seat: what a seat turns or draws from
 * @property {[PlaceName[], PlaceName[]]} piles the centre to the left and to the right of the clock, from left to right
 * @property {PlaceName[]} middle places drawn where the clock is
 * @property {boolean} crowded the centre holds side piles too, so that the supplies belong into the rows
 */

/** What a seat turns or draws from. */
export const SUPPLIES = new Set(["spit", "deck", "stock"]);

/** @param {string} name @returns {PlaceName} */
export function parsePlace(name) {
  const parts = name.split(".");
  const seat = /^\d$/.test(parts[0]) ? Number(parts.shift()) : null;
  const role = parts.shift();
  return { name, seat, role, number: parts.length ? Number(parts[0]) : null };
}

/** The cards that a seat has yet to get rid of. @param {{places: Readonly<Record<string, readonly string[]>>}} view @param {0|1} seat */
export function cardsLeft(view, seat) {
  let sum = 0;
  for (const name in view.places) if (name[0] === String(seat) && name[1] === ".") sum += view.places[name].length;
  return sum;
}

/**
 * @param {Iterable<string>} names the names of a view's places
 * @param {0|1} bottom the seat drawn below
 * @returns {Layout}
 */
export function arrange(names, bottom) {
  /** @type {Layout} */
  const layout = { rows: [[], []], supplies: [[], []], piles: [[], []], middle: [], crowded: false };
  for (const place of [...names].map(parsePlace)) {
    if (place.role === "centre" || place.role === "side") {
      layout.piles[place.number === bottom ? 1 : 0].push(place);
      layout.crowded ||= place.role === "side";
    } else if (place.seat === null) layout.middle.push(place);
    else if (SUPPLIES.has(place.role)) layout.supplies[place.seat].push(place);
    else layout.rows[place.seat].push(place);
  }
  for (const row of layout.rows) row.sort((a, b) => a.number - b.number);
  layout.rows[1 - bottom].reverse();
  // A side pile lies at the outer end, its centre pile beside the clock.
  const outermost = (place) => (place.role === "side" ? 0 : 1);
  layout.piles[0].sort((a, b) => outermost(a) - outermost(b));
  layout.piles[1].sort((a, b) => outermost(b) - outermost(a));
  return layout;
}
