/** Sentences for what happened and why something was not done. */

import { parseCard, rankName, rankText } from "../cards/card.js";
import { format, gettext, ngettext } from "../text.js";
import { parsePlace } from "./layout.js";

/** How a game ends by its rules, not from outside. */
const BY_RULE = new Set(["out_of_cards", "fewer_cards", "cap"]);

/** @param {any} match @param {0|1|null} seat */
export const nameOf = (match, seat) => (seat === null || seat === undefined ? "" : match.seats[seat].name);

/** A first name, or as much of a long name as fits a short sentence. */
export function shortName(match, seat, longest = 14) {
  const name = nameOf(match, seat);
  return name.length > longest ? `${name.slice(0, longest - 1).trimEnd()}…` : name;
}

/**
 * Why a command was not done, as a sentence for its sender.
 * @param {any} match
 * @param {{t: string, card?: string}} message
 * @param {{code: string, by?: 0|1, late?: number}} refusal
 */
export function refusalText(match, message, { code, by, late }) {
  const card = message.card ? rankText(parseCard(message.card).rank) : "";
  if (code === "pile_changed") {
    const values = { card, name: shortName(match, by, 10), ms: late };
    return late < 1000
      ? format(gettext("Your %(card)s went back — %(name)s was %(ms)s ms earlier"), values)
      : format(gettext("Your %(card)s went back — %(name)s was earlier"), values);
  }
  const sentences = {
    bad_message: gettext("The server did not understand that"),
    not_seated: gettext("You are watching"),
    too_fast: gettext("Too many commands at once"),
    trouble: gettext("The server could not write that down — try again"),
    game_over: gettext("The game is over"),
    old_round: gettext("That was meant for the round before"),
    not_now: gettext("Not now"),
    too_early: gettext("Too early: nothing to slap yet"),
    already: gettext("Already done"),
    gone: gettext("Your opponent is gone: there can be no rematch."),
    no_such_place: gettext("It cannot go there"),
    not_your_card: gettext("That card is not yours to play now"),
    not_adjacent: format(gettext("The %(card)s is not one higher or lower"), { card }),
    place_taken: gettext("That place is taken"),
    nothing_there: gettext("There is no card there"),
    not_in_this_match: gettext("Not in this match"),
  };
  if (code === "not_adjacent" && match.options?.alternate) {
    return format(gettext("The %(card)s does not fit: one higher or lower, and the other colour"), { card });
  }
  return sentences[code] ?? gettext("That was not done");
}

/** Whether the match may have more than one game (M1). */
export const isSeries = (match) => match.options?.best_of > 1 || match.options?.target > 0;

/** Whether a game of this match has rounds that are counted: it deals anew (S8). @param {import("./reducer.js").View} view */
const hasRounds = (view) => Object.keys(view.places).some((name) => parsePlace(name).role === "stockpile");

/** The round within its game. @param {import("./reducer.js").Status} status */
const roundOf = ({ round, first_round: first }) => round - first + 1;

/** Where the match stands, as a title: the round, or the game of a series. @param {import("./reducer.js").View} view */
export function stageTitle(match, view) {
  const { status } = view;
  const round = roundOf(status);
  if (isSeries(match) && round === 1) return format(gettext("Game %(game)s"), { game: status.game });
  return hasRounds(view) ? format(gettext("Round %(round)s"), { round }) : "";
}

/** The same in full, for a line: "game 2 of 3 · round 1". @param {import("./reducer.js").View} view */
export function stageLine(match, view) {
  const { status } = view;
  const { best_of: count, target } = match.options ?? {};
  const parts = [];
  if (target) parts.push(format(gettext("game %(game)s, to %(target)s points"), { game: status.game, target }));
  else if (count > 1) parts.push(format(gettext("game %(game)s of %(count)s"), { game: status.game, count }));
  if (hasRounds(view)) parts.push(format(gettext("round %(round)s"), { round: roundOf(status) }));
  return parts.join(" · ");
}

/** How long it was, when it is over: "3 rounds, 4:10". @param {import("./reducer.js").View} view */
export function lengthLine(match, view) {
  const length = countdown(view.at);
  const { game: games, round: rounds } = view.status;
  if (isSeries(match)) return format(ngettext("%(games)s game, %(length)s", "%(games)s games, %(length)s", games), { games, length });
  if (!hasRounds(view)) return length;
  return format(ngettext("%(rounds)s round, %(length)s", "%(rounds)s rounds, %(length)s", rounds), { rounds, length });
}

/** What the match did to the ratings, or will. @param {import("./session.js").Session} session */
export function ratingsLine({ match, ratings, you }) {
  const { pending, seats } = ratings;
  if (pending === "late") return gettext("the ratings are still to be counted");
  if (pending) return gettext("the ratings change in a moment");
  if (you !== null && seats[you]) return format(gettext("your rating: %(rating)s %(gain)s"), seats[you]);
  const moved = seats.map((seat, number) => seat && `${shortName(match, number)} ${seat.rating} ${seat.gain}`).filter(Boolean);
  return moved.join(" · ") || gettext("no points");
}

/** Minutes and seconds. @param {number} ms */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How the last game of a series ended, when the next one waits. @param {import("./reducer.js").Status} status */
export function gameText(match, { last, game }, you) {
  const number = { game: game - 1 };
  const { text } = resultText(match, last, you);
  if (last.winner === null) return { title: format(gettext("Game %(game)s is drawn"), number), text };
  if (last.winner === you) return { title: format(gettext("You won game %(game)s"), number), text };
  const name = shortName(match, last.winner);
  return { title: format(gettext("%(name)s won game %(game)s"), { ...number, name }), text };
}

/** How the match ended: of a series, the text says how its last game did. @param {import("./reducer.js").Status} status */
export function endText(match, { result, last }, you) {
  const end = resultText(match, result, you);
  return last && BY_RULE.has(result.cause) ? { ...end, text: resultText(match, last, you).text } : end;
}

/** The state of a line in a word. @param {import("../net/socket.js").Line} line */
export function lineWord(line) {
  const words = {
    connecting: gettext("connecting"),
    open: gettext("live"),
    reconnecting: gettext("reconnecting"),
    closed: gettext("disconnected"),
  };
  return words[line];
}

/** What is to be said of the line now; "" when all is well. @param {import("./session.js").Session} session */
export function lineText({ line, closing, view, you, isInTrouble }) {
  if (line === "closed") return closingText(closing);
  if (!view) return "";
  if (line === "reconnecting") {
    if (closing) return `${closingText(closing)} ${gettext("Reconnecting.")}`;
    return you === null || view.status.phase === "over"
      ? gettext("Connection lost. Reconnecting.")
      : gettext("Connection lost. Reconnecting — the match goes on without you.");
  }
  return isInTrouble ? gettext("Connection trouble at the server: the match waits, and so do its clocks.") : "";
}

/** Why the server hung up. @param {string} code as in docs/protocol.md */
function closingText(code) {
  const sentences = {
    no_such_match: gettext("There is no such match any more."),
    bad_message: gettext("The server did not understand this page. Load it again."),
    too_fast: gettext("The server hung up: too many commands at once."),
    signed_out: gettext("You were signed out."),
    silent: gettext("The server heard nothing from this page."),
    over: gettext("The match is over, and its table is cleared away."),
    restart: gettext("The server starts again. The match goes on where it was."),
  };
  return sentences[code] ?? gettext("Disconnected. Load the page again.");
}

/** How a game or a match ended, as seen from a seat, or by a watcher. @returns {{title: string, text: string, tone: string}} */
export function resultText(match, result, you) {
  const { winner, cause } = result;
  const loser = winner === null ? null : 1 - winner;
  const names = { winner: nameOf(match, winner), loser: nameOf(match, loser) };
  const iLost = loser !== null && loser === you;
  const texts = {
    out_of_cards: () =>
      winner === you ? gettext("You got rid of all your cards.") : format(gettext("%(winner)s got rid of all cards."), names),
    fewer_cards: () =>
      winner === null ? gettext("Both had as many cards left.") : format(gettext("%(winner)s had fewer cards left."), names),
    resigned: () => (iLost ? gettext("You resigned.") : format(gettext("%(loser)s resigned."), names)),
    inactive: () =>
      iLost ? gettext("You could have played and did nothing.") : format(gettext("%(loser)s could have played and did nothing."), names),
    left: () => (iLost ? gettext("You were away for too long.") : format(gettext("%(loser)s was away for too long."), names)),
    cap: () =>
      winner === null
        ? gettext("The longest time was reached with as many cards left on both sides.")
        : format(gettext("The longest time was reached; %(winner)s had fewer cards left."), names),
    abandoned: () => gettext("Nobody played for a long time."),
    aborted: () => gettext("The match ended before a card was played. It does not count."),
    broken_off: () => gettext("The site broke the match off. It does not count."),
  };
  const text = texts[cause]?.() ?? "";
  if (cause === "aborted" || cause === "broken_off") return { title: gettext("Aborted"), text, tone: "void" };
  if (winner === null) return { title: gettext("Draw"), text, tone: "draw" };
  if (you === null) return { title: format(gettext("%(winner)s won"), names), text, tone: "plain" };
  return winner === you
    ? { title: gettext("You won"), text, tone: "won" }
    : { title: gettext("You lost"), text, tone: "lost" };
}

/** "7 on the left pile", for those who listen. */
export const spokenPlay = (card, side) =>
  format(side === "left" ? gettext("%(card)s on the left pile") : gettext("%(card)s on the right pile"), {
    card: rankName(parseCard(card).rank),
  });
