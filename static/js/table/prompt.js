/** What the middle of the table says now, worked out from the state alone. */

import { format, gettext } from "../text.js";
import { centreOf, handActionsOf, isPlayable, mayChooseStart, playsOf, spitsAlone, supplyOf, usefulMovesOf } from "./legal.js";
import { shortName, stageTitle } from "./words.js";

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
  const prompt = asked(session, view);
  if (session.you === null || session.canAct) return prompt;
  // Without a line nothing can be pressed, and nothing looks as if it could.
  return { ...prompt, action: null, glow: [], tone: prompt.tone && "wait" };
}

function asked(session, view) {
  const { match, you, pending } = session;
  const { status } = view;
  const { phase, since, due, round } = status;
  const me = you === null ? false : status.ready[you];
  const other = you === null ? "" : shortName(match, 1 - you);
  switch (phase) {
    case "ready": {
      const title = stageTitle(match, view);
      const late = lateness(session, view);
      if (late) return late;
      if (you === null) return { kind: "words", title, label: gettext("getting ready") };
      if (me) return { kind: "words", title, label: format(gettext("waiting for %(name)s"), { name: other }) };
      return { kind: "button", title, label: gettext("Ready"), action: "ready" };
    }
    case "countdown":
      return { kind: "ring", label: gettext("spit"), since, due, tone: "go" };
    case "playing":
      return warning(session, view) ?? absence(session) ?? { kind: "none" };
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

function stuck(session, view, called) {
  const { match, you } = session;
  const { since, due, alone } = view.status;
  if (match.pace.asks) return stuckUntilBothAsk(session, view, called);
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

/** No countdown: the turn comes when both have asked for it (the speed class *paced*, G6). */
function stuckUntilBothAsk(session, view, called) {
  const { match, you } = session;
  const late = lateness(session, view);
  if (late) return you === null || called ? late : { ...late, label: gettext("Spit"), action: "spit" };
  const title = gettext("Stuck");
  const spit = { kind: "button", title, label: gettext("Spit"), action: "spit" };
  if (you === null) return { kind: "words", title, label: gettext("both have to ask for the turn") };
  if (mayChooseStart(view, you)) return { ...spit, glow: centreOf(view), say: gettext("You spit alone: choose a pile, then Spit") };
  if (called) return { kind: "words", title, label: format(gettext("waiting for %(name)s"), { name: shortName(match, 1 - you) }) };
  return spit;
}

/** The clock of the seat that is warned (G8). */
function warnedRing({ match, warnedDue: due }, view) {
  const since = due === null ? null : due - (match.pace.inactive - match.pace.warning);
  return { kind: "ring", label: shortName(match, view.warned), since, due, tone: "wait" };
}

/** Everybody waits for one who does not press Ready (G8). */
function lateness(session, view) {
  const { you } = session;
  const { warned, status } = view;
  if (warned === undefined || status.ready[warned]) return null;
  const ring = warnedRing(session, view);
  if (warned !== you) return ring;
  return { ...ring, label: gettext("Ready"), tone: "danger", action: "ready", say: readyOrElse(status) };
}

/** The other seat is away: how long it may stay so, for all to see. A watcher sees the first of two who are. */
function absence({ match, you, presence }) {
  const away = [0, 1].find((seat) => seat !== you && presence.seats[seat]?.away_due != null);
  if (away === undefined) return null;
  const { away_due: due } = presence.seats[away];
  return { kind: "ring", label: gettext("away"), since: due - (match.pace.grace ?? 30000), due, tone: "danger" };
}

/** What happens to who is not ready in time: before the first card the match is only called off (M2). */
export const readyOrElse = ({ phase, round }) =>
  phase === "stuck"
    ? gettext("Press Spit, or the match is lost when the time is up")
    : round === 1
    ? gettext("Press Ready, or the match is off when the time is up")
    : gettext("Press Ready, or the match is lost when the time is up");

/** You could play and do not: the play you overlook, and how long you have (G8). */
function warning(session, view) {
  const { match, you } = session;
  if (view.warned === undefined) return null;
  const ring = warnedRing(session, view);
  if (view.warned !== you) return you === null ? ring : null;
  const play = playsOf(match, view, you)[0] ?? usefulMovesOf(view, you)[0];
  return {
    ...ring,
    label: gettext("play!"),
    tone: "danger",
    say: gettext("You can play: look for the marked cards"),
    overlooked: play ? [play.from, play.to] : handActionsOf(match, view, you).slice(0, 1),
  };
}

/** Whether a seat can call spit now (G6). @param {import("./reducer.js").View} view @param {0|1} seat */
export const canCall = (view, seat) =>
  isPlayable(view) && !view.status.ready[seat] && [0, 1].some((each) => view.places[supplyOf(view, each)]?.length);
