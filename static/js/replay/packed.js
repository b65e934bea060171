/**
 * The course of a match as the server packs it for this page (replays/packing.py, which describes each field), made into
 * what a replay document has.
 */

import { BACK, identity } from "../cards/card.js";

/** What `replays.packing.PACKING` is when this module can read it. */
export const PACKING = 1;

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const CARD = /-?[A23456789TJQK][cdhs]'?|-/g;
/** Of the statistics: lists of objects that came as columns. */
const COLUMNS = ["rounds", "turns", "contests", "slaps", "overlooked"];

/** @param {string} text @returns {string[]} */
const pileOf = (text) => text.match(CARD) ?? [];

const pilesOf = (texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, pileOf(text)]));

/**
 * @param {any} packed
 * @returns {Omit<import("./document.js").ReplayDocument, "format"|"version"|"match">}
 * @throws {RangeError} it is packed in another way
 */
export function unpack(packed) {
  if (packed.packed !== PACKING) throw new RangeError(`packed in way ${packed.packed}`);
  const { places, first, result, verdict } = packed;
  const start = pilesOf(packed.start);
  const events = eventsOf(packed, start);
  return {
    places,
    start,
    events,
    keyframes: [{ seq: 0, at: 0, places: start, status: first }],
    result,
    verdict,
    statistics: statisticsOf(packed.statistics, events),
  };
}

function eventsOf({ places, first, names, kinds, gaps, seats, moves, orders, statuses, status, rest, ...columns }, start) {
  const piles = Object.fromEntries(places.map((name) => [name, [...(start[name] ?? [])]]));
  const odd = new Map(columns.cards);
  const placeOf = Object.fromEntries(places.map((name, at) => [LETTERS[at], name]));
  let at = 0;
  let move = 0;
  let shown = first;
  const orderOf = new Map(orders);
  const restOf = new Map(rest);
  return gaps.map((gap, index) => {
    at += gap;
    const event = { kind: names[kinds.charCodeAt(index) - 97], at };
    if (seats[index] !== "-") event.seat = Number(seats[index]);
    const order = orderOf.get(index);
    if (order) {
      event.orders = pilesOf(order);
      for (const name in event.orders) piles[name] = [...event.orders[name]];
    }
    if (moves[index]) {
      event.moves = [];
      for (const end = move + moves[index]; move < end; move += 1) {
        const source = placeOf[columns.sources[move]];
        const target = placeOf[columns.targets[move]];
        const top = piles[source].pop() ?? BACK;
        const card = odd.get(move) ?? (columns.faces[move] === "d" ? BACK : "") + identity(top);
        piles[target].push(card);
        event.moves.push([card, source, target]);
      }
    }
    if (status[index]) {
      const change = statuses[status[index] - 1];
      shown = { ...shown, ...change };
      if ("since" in change) shown.since = at - change.since;
      if (typeof change.due === "number") shown.due = at + change.due;
      event.status = shown;
    }
    return Object.assign(event, restOf.get(index));
  });
}

function statisticsOf(packed, events) {
  const found = { ...packed };
  for (const name of COLUMNS) {
    const { seq: gaps, ...columns } = packed[name];
    let seq = 0;
    found[name] = gaps.map((gap, row) => {
      seq += gap;
      const item = { seq, at: events[seq - 1].at };
      for (const field in columns) item[field] = columns[field][row];
      return item;
    });
  }
  return found;
}
