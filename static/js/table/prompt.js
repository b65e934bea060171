/** What the middle of the table says now, worked out from the state alone. */

import { format, gettext } from "../text.js";
import { centreOf, isPlayable, mayChooseStart, playsOf, spitsAlone, supplyOf, usefulMovesOf } from "./legal.js";
import { shortName } from "./words.js";

/**
 * @typedef {object} Prompt
 * @property {"none"|"button"|"ring"|"words"} kind
 * @property {string} [label] under the time, or on the button
 * @property {string} [title] a large word above
 * @property {number|null} [since] of the ring, ms of the match clock
 * @property {number|null} [due]
 * @property {"go"|"wait"|"danger"} [tone]
 * @property {"ready"|"spit"|null} [action] what pressing the middle does
 * @property {string} [say] a sentence under the centre, as long as it is so
 * @property {string[]} [glow] places that wait to be pressed
 * @property {string[]} [overlooked] places of a play that was overlooked (G8)
 */

/**
 * @param {import("./session.js").Session} session
 * @param {import("./reducer.js").View} view what is shown
 * @returns {Prompt}
 */
export function promptOf(session, view) {
  const { match, you, pending } = session;
  const { status } = view;
  const { phase, since, due, round } = status;
  const me = you === null ? false : status.ready[you];
  const other = you === null ? "" : shortName(match, 1 - you);
  switch (phase) {
    case "ready": {
      const title = format(gettext("Round %(round)s"), { round });
      if (you === null) return { kind: "words", title, label: gettext("getting ready") };
      if (me) return { kind: "words", title, label: format(gettext("waiting for %(name)s"), { name: other }) };
      return { kind: "button", title, label: gettext("Ready"), action: "ready" };
    }
    case "countdown":
      return { kind: "ring", label: gettext("spit"), since, due, tone: "go" };
    case "playing":
      return warning(session, view) ?? { kind: "none" };
    case "stuck":
      return stuck(session, view, me);
    case "slap": {
      const chooser = status.chooser;
      const glow = centreOf(view);
      if (chooser === null) {
        if (you === null) return { kind: "ring", title: gettext("Slap!"), since, due, tone: "danger" };
        const sent = pending.has("slap", round);
        return {
          kind: "ring",
          title: sent ? gettext("slapped") : gettext("Slap!"),
          since,
          due,
          tone: "danger",
          glow: sent ? [] : glow,
          say: sent ? "" : gettext("Hit the pile you want: fewer cards are better"),
        };
      }
      if (chooser === you) {
        return {
          kind: "ring",
          title: gettext("Choose"),
          since,
          due,
          tone: "go",
          glow,
          say: gettext("Choose the pile you take: fewer cards are better"),
        };
      }
      return { kind: "ring", since, due, tone: "wait", say: format(gettext("%(name)s chooses a pile"), { name: shortName(match, chooser) }) };
    }
    default:
      return { kind: "none" };
  }
}

function stuck({ match, you }, view, called) {
  const { since, due, alone } = view.status;
  const ring = { kind: "ring", label: gettext("stuck"), since, due, tone: "wait" };
  if (you !== null && mayChooseStart(view, you)) {
    return { ...ring, glow: centreOf(view), tone: "go", say: gettext("You spit alone: choose a pile") };
  }
  const single = spitsAlone(view);
  if (single !== null && single !== you && alone === null) {
    ring.say = format(gettext("%(name)s spits alone and chooses a pile"), { name: shortName(match, single) });
  }
  if (you === null || called) return ring;
  return { ...ring, label: gettext("spit"), action: "spit" };
}

/** You could play and do not: the play you overlook, and how long you have (G8). */
function warning(session, view) {
  const { match, you, warnedDue } = session;
  if (view.warned === undefined) return null;
  const due = warnedDue;
  const since = due === null ? null : due - (match.pace.inactive - match.pace.warning);
  if (view.warned !== you) {
    if (you !== null) return null;
    return { kind: "ring", label: shortName(match, view.warned), since, due, tone: "wait" };
  }
  const hint = playsOf(match, view, you)[0] ?? usefulMovesOf(view, you)[0];
  return {
    kind: "ring",
    label: gettext("play!"),
    since,
    due,
    tone: "danger",
    say: gettext("You can play: look for the marked cards"),
    overlooked: hint ? [hint.from, hint.to] : [],
  };
}

/** Whether a seat can call spit now (G6). @param {import("./reducer.js").View} view @param {0|1} seat */
export const canCall = (view, seat) =>
  isPlayable(view) && !view.status.ready[seat] && [0, 1].some((each) => view.places[supplyOf(view, each)]?.length);
