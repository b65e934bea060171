/** Sentences for what happened and why something was not done. */

import { parseCard, rankName, rankText } from "../cards/card.js";
import { format, gettext } from "../text.js";

/** @param {any} match @param {0|1|null} seat */
export const nameOf = (match, seat) => (seat === null || seat === undefined ? "" : match.seats[seat].name);

/** A first name, or as much of a long name as fits a short sentence. */
export function shortName(match, seat) {
  const name = nameOf(match, seat);
  return name.length > 14 ? `${name.slice(0, 13).trimEnd()}…` : name;
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
    const values = { card, name: shortName(match, by), ms: late };
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
    no_such_place: gettext("It cannot go there"),
    not_your_card: gettext("That card is not yours to play now"),
    not_adjacent: format(gettext("The %(card)s is not one higher or lower"), { card }),
    place_taken: gettext("That place is taken"),
    nothing_there: gettext("There is no card to turn"),
    not_in_this_match: gettext("Not in this match"),
  };
  if (code === "not_adjacent" && match.options?.alternate) {
    return format(gettext("The %(card)s does not fit: one higher or lower, and the other colour"), { card });
  }
  return sentences[code] ?? gettext("That was not done");
}

/** How a match ended, as seen from a seat, or by a watcher. @returns {{title: string, text: string, tone: string}} */
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
