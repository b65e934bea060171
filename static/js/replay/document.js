/**
 * A replay document (docs/replay-format.md): fetched, and read with care, since it may come from anywhere.
 *
 * @typedef {object} ReplaySeat
 * @property {string} name
 * @property {string|boolean} [bot]
 * @property {number|null} [rating]
 *
 * @typedef {object} ReplayDocument
 * @property {"spit-replay"} format
 * @property {1} version
 * @property {{slug: string, game: string, options: object, pace: string|object, rated: boolean, started_at: string|null,
 *   seats: [ReplaySeat, ReplaySeat]}} match
 * @property {string[]} places the names of all places, in the order in which they are listed to readers
 * @property {Record<string, string[]>} start the cards of each place before the first event
 * @property {import("../table/reducer.js").TableEvent[]} events in order, with all faces
 * @property {import("../table/reducer.js").View[]} [keyframes] views to begin from, the first before any event
 * @property {{winner: 0|1|null, cause: string, void: boolean}} [result]
 * @property {{sound: boolean, faults: {seq: number, text: string}[]}} [verdict]
 * @property {any} [statistics]
 */

import { gettext } from "../text.js";
import { unpack } from "./packed.js";

export const FORMAT = "spit-replay";
/** The newest version that this page can read. */
export const VERSION = 1;

/** A document that cannot be shown; the message is for people. */
export class BadDocument extends Error {
  /** @param {"not_found"|"no_network"|"not_a_replay"|"too_new"|"damaged"} code @param {string} message */
  constructor(code, message, options) {
    super(message, options);
    this.name = "BadDocument";
    this.code = code;
  }
}

/**
 * Fetch the packed course of a match of this site.
 * @param {string} url
 * @param {ReplayDocument["match"]} match what the page says of it
 * @returns {Promise<ReplayDocument>}
 * @throws {BadDocument}
 */
export async function fetchCourse(url, match) {
  const text = await fetchText(url);
  try {
    return { format: FORMAT, version: VERSION, match, ...unpack(JSON.parse(text)) };
  } catch (error) {
    throw new BadDocument("damaged", gettext("This replay is damaged."), { cause: error });
  }
}

async function fetchText(url) {
  let response;
  try {
    response = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  } catch (error) {
    const message = gettext("The replay could not be loaded. Is the network there?");
    throw new BadDocument("no_network", message, { cause: error });
  }
  if (!response.ok) throw new BadDocument("not_found", gettext("There is no replay of this match (yet)."));
  return response.text();
}

/**
 * Read a document from its text.
 * @param {string} text
 * @returns {ReplayDocument}
 * @throws {BadDocument}
 */
export function parseDocument(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new BadDocument("not_a_replay", gettext("This is not a replay."), { cause: error });
  }
  if (data?.format !== FORMAT || !Number.isInteger(data.version)) {
    throw new BadDocument("not_a_replay", gettext("This is not a replay."));
  }
  if (data.version > VERSION) {
    throw new BadDocument("too_new", gettext("This replay was made by a newer version of the site."));
  }
  if (!isWhole(data)) throw new BadDocument("damaged", gettext("This replay is damaged."));
  return data;
}

function isWhole({ match, places, start, events }) {
  if (!Array.isArray(match?.seats) || match.seats.length !== 2) return false;
  if (!match.seats.every((seat) => typeof seat?.name === "string")) return false;
  if (!Array.isArray(places) || !Array.isArray(events) || typeof start !== "object" || start === null) return false;
  if (!Object.values(start).every(Array.isArray)) return false;
  let last = 0;
  for (const event of events) {
    // Time never runs backwards in a log; the search by time relies on it.
    if (typeof event?.kind !== "string" || !Number.isInteger(event.at) || event.at < last) return false;
    last = event.at;
  }
  return true;
}
