/**
 * The outline of a match: what its timeline shows, read from the events once. No drawing here.
 *
 * @typedef {object} Mark something at one moment
 * @property {number} index of the event, counted from 1 like the track's
 * @property {number} at ms
 * @property {0|1|null} seat
 * @property {"play"|"action"|"missed"|"called"|"slap"|"out"|"warned"} kind
 * @property {number} [won] of a miss: when the faster seat changed the pile, ms
 *
 * @typedef {object} Span
 * @property {number} from ms
 * @property {number} to ms
 * @property {number} index of the event that began it
 *
 * @typedef {object} Outline
 * @property {number} end ms
 * @property {(Span & {round: number})[]} rounds
 * @property {(Span & {kind: "ready"|"countdown"|"stuck"|"slap"})[]} waits when nobody could play a card
 * @property {{index: number, at: number}[]} turns
 * @property {Mark[]} marks of the lanes
 * @property {number[]} contests the indices of misses and slaps
 * @property {[Step[], Step[]]} left how many cards each seat had yet to get rid of
 * @property {number} most the highest of those counts
 *
 * @typedef {[at: number, count: number]} Step
 */

import { cardsLeft } from "../table/layout.js";

const KINDS = {
  played: "play",
  moved: "action",
  flipped: "action",
  refilled: "action",
  missed: "missed",
  called: "called",
  slapped: "slap",
  cleared: "out",
  warned: "warned",
};

const WAITS = new Set(["ready", "countdown", "stuck", "slap"]);

/**
 * @param {import("./track.js").Track} track
 * @returns {Outline}
 */
export function outlineOf(track) {
  /** @type {Outline} */
  const { end } = track;
  const outline = { end, rounds: [], waits: [], turns: [], marks: [], contests: [], left: [[], []], most: 1 };
  let round = null;
  let wait = null;
  track.events.forEach((event, position) => {
    const index = position + 1;
    const { at, kind } = event;
    const before = track.views[position];
    const view = track.views[index];
    if (kind === "dealt") {
      if (round) round.to = at;
      round = { from: outline.rounds.length ? at : 0, to: track.end, index, round: view.status.round };
      outline.rounds.push(round);
    }
    if (view.status.phase !== before.status.phase) {
      if (wait) wait.to = at;
      wait = null;
      if (WAITS.has(view.status.phase)) {
        wait = { from: at, to: track.end, index, kind: view.status.phase };
        outline.waits.push(wait);
      }
    }
    if (kind === "turned") outline.turns.push({ index, at });
    const seat = event.seat ?? null;
    if (kind in KINDS && (seat !== null || kind === "slapped")) {
      const mark = { index, at, seat, kind: KINDS[kind] };
      if (kind === "missed") mark.won = at - (event.late ?? 0);
      outline.marks.push(mark);
    }
    if (kind === "missed" || (kind === "slapped" && seat !== null)) outline.contests.push(index);
    if (view.places !== before.places) {
      for (const number of [0, 1]) {
        const steps = outline.left[number];
        const count = cardsLeft(view, number);
        const last = steps.at(-1);
        if (last?.[1] === count) continue;
        if (last?.[0] === at) last[1] = count;
        else steps.push([at, count]);
        // The moment of dealing holds the whole pack in one hand; it is not part of the story.
        if (kind !== "dealt") outline.most = Math.max(outline.most, count);
      }
    }
  });
  return outline;
}
