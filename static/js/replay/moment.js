/**
 * Moments in words and addresses: how a time is written, and the link that opens a replay at it.
 *
 * A link says `t`, the milliseconds, in the query or after `#`. Where several events share the millisecond and the
 * moment is not after the last of them, it also says `e`, how many events had happened.
 */

import { format, gettext } from "../text.js";

const pad = (number, width) => String(number).padStart(width, "0");

/** `754380` as `{clock: "12:34", fraction: "380"}`. @param {number} ms */
export function clockParts(ms) {
  const whole = Math.floor(ms);
  const seconds = Math.floor(whole / 1000);
  const minutes = Math.floor(seconds / 60);
  return { clock: `${minutes}:${pad(seconds % 60, 2)}`, fraction: pad(whole % 1000, 3) };
}

/** A time to the second: "2:14". @param {number} ms */
export const shortTime = (ms) => clockParts(ms).clock;

/** A time to the millisecond: "2:14.380". @param {number} ms */
export function exactTime(ms) {
  const { clock, fraction } = clockParts(ms);
  return `${clock}.${fraction}`;
}

/**
 * The position that an address asks for. Whatever it says, the answer lies on the track.
 * @param {{search: string, hash: string}} address a `Location` or `URL`
 * @param {import("./track.js").Track} track
 * @returns {import("./track.js").Position|null} null when the address asks for none
 */
export function readAddress({ search, hash }, track) {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  if (!query.has("t")) for (const [name, value] of new URLSearchParams(search)) query.set(name, value);
  if (!query.has("t")) return null;
  const position = track.atTime(readNumber(query.get("t")));
  const index = readNumber(query.get("e"));
  const fits = Number.isInteger(index) && index >= 0 && index <= position.index && track.times[index] === position.ms;
  return fits ? { index, ms: position.ms } : position;
}

/** A number, or NaN: an empty or absent text is none. @param {string|null} text */
const readNumber = (text) => (text?.trim() ? Number(text) : NaN);

/**
 * The address of a position: the page's own with the moment in its query.
 * @param {string} page the address of the page
 * @param {import("./track.js").Position} position
 * @param {import("./track.js").Track} track
 */
export function momentAddress(page, position, track) {
  const url = new URL(page);
  const ms = Math.floor(position.ms);
  url.hash = "";
  url.searchParams.set("t", String(ms));
  if (track.indexAt(ms) === position.index) url.searchParams.delete("e");
  else url.searchParams.set("e", String(position.index));
  return url.href;
}

/** @param {number} ms a short time: "640 ms", "3.2 s" */
export const shortSpan = (ms) =>
  ms < 1000
    ? format(gettext("%(ms)s ms"), { ms })
    : format(gettext("%(seconds)s s"), { seconds: (ms / 1000).toFixed(ms < 10_000 ? 1 : 0) });
