/**
 * Events in words. Each has a short form for the list of moments (cards as rank and suit sign) and a long one that can
 * be read aloud. The name of the seat stands in front of both.
 *
 * @typedef {object} Words
 * @property {0|1|null} seat who did it; null: nobody, or both
 * @property {"plain"|"bad"|"go"|"quiet"|"mark"} tone
 * @property {string} short with `%(card)s` for cards
 * @property {string} long
 * @property {Record<string, string | number | readonly string[]>} values of both; a list is a list of cards
 */

import { cardName, identity, parseCard, rankText } from "../cards/card.js";
import { suitIcon } from "../cards/face.js";
import { format, gettext } from "../text.js";

/** How a match ended, without a name in front. @param {string} cause */
function causeWords(cause) {
  const words = {
    out_of_cards: gettext("is out of cards and wins"),
    fewer_cards: gettext("has fewer cards and wins"),
    resigned: gettext("wins: the other resigned"),
    inactive: gettext("wins: the other did nothing"),
    left: gettext("wins: the other left"),
    cap: gettext("has fewer cards at the time limit and wins"),
  };
  return words[cause] ?? gettext("wins");
}

/** How a match without a winner ended. @param {string} cause */
function drawWords(cause) {
  const words = {
    aborted: gettext("Aborted before a card was played"),
    broken_off: gettext("Broken off by the site"),
    abandoned: gettext("A draw: nobody played on"),
  };
  return words[cause] ?? gettext("A draw");
}

/**
 * @param {import("../table/reducer.js").TableEvent} event
 * @param {(place: string) => "left"|"right"} sideOf the side of the clock on which a centre pile is drawn now
 * @returns {Words}
 */
export function describe(event, sideOf) {
  const moves = event.moves ?? [];
  const seat = event.seat ?? null;
  const say = (short, long = short, values = {}, tone = "plain", who = seat) => {
    return { seat: who, tone, short, long, values };
  };
  // Whole sentences for either side: an adjective put into one cannot be made to agree in every language.
  const isLeft = (pile) => sideOf(pile) === "left";
  switch (event.kind) {
    case "shuffled":
      return say(gettext("Shuffled"), gettext("The cards are shuffled"), {}, "quiet");
    case "dealt": {
      const values = { round: event.status?.round ?? 1 };
      return say(gettext("Round %(round)s is dealt"), gettext("Round %(round)s is dealt"), values, "mark");
    }
    case "readied":
      return say(gettext("is ready"), gettext("is ready"), {}, "quiet");
    case "called":
      return say(gettext("calls spit"));
    case "chose":
      return isLeft(event.pile)
        ? say(gettext("chooses left"), gettext("chooses the left pile"))
        : say(gettext("chooses right"), gettext("chooses the right pile"));
    case "turned": {
      const values = { cards: moves.map(([card]) => card) };
      return say(gettext("Turned: %(cards)s"), gettext("Turned: %(cards)s"), values, "go");
    }
    case "played": {
      const [card, , target] = moves[0];
      return isLeft(target)
        ? say(gettext("%(card)s → left"), gettext("%(card)s to the left pile"), { card })
        : say(gettext("%(card)s → right"), gettext("%(card)s to the right pile"), { card });
    }
    case "moved":
      return say(gettext("%(card)s → empty place"), gettext("%(card)s to an empty place"), { card: moves[0][0] });
    case "flipped":
      return say(gettext("turns up %(card)s"), gettext("turns up the %(card)s"), { card: moves[0][0] });
    case "refilled":
      return say(gettext("draws %(card)s"), gettext("draws the %(card)s"), { card: identity(moves[0][0]) });
    case "missed": {
      const values = { card: event.card, late: event.late ?? 0 };
      return isLeft(event.pile)
        ? say(gettext("%(card)s → left, %(late)s ms late"), gettext("%(card)s to the left pile, %(late)s milliseconds late"), values, "bad")
        : say(gettext("%(card)s → right, %(late)s ms late"), gettext("%(card)s to the right pile, %(late)s milliseconds late"), values, "bad");
    }
    case "stuck":
      return say(gettext("Nobody can play"), gettext("Nobody can play"), {}, "quiet");
    case "cleared":
      return seat === null
        ? say(gettext("Both are blocked"), gettext("Both are blocked"), {}, "mark")
        : event.status?.phase === "slap"
          ? say(gettext("is out: slap!"), gettext("has no stockpiles left: slap!"), {}, "mark")
          : say(gettext("is out"), gettext("has no stockpiles left"), {}, "mark");
    case "slapped":
      if (seat === null) return say(gettext("Nobody slapped"), gettext("Nobody slapped in time"));
      return isLeft(event.pile)
        ? say(gettext("slaps left"), gettext("slaps the left pile"), {}, "mark")
        : say(gettext("slaps right"), gettext("slaps the right pile"), {}, "mark");
    case "taken":
      return say(gettext("The piles are taken"), gettext("The piles are taken"), {}, "quiet");
    case "gathered":
      return say(gettext("The piles are gathered"), gettext("The piles are gathered"), {}, "quiet");
    case "reshuffled":
      return say(gettext("New side piles"), gettext("New side piles are dealt"), {}, "mark");
    case "finished": {
      const values = { score: event.status?.score?.join(" : ") ?? "" };
      return seat === null
        ? say(gettext("A drawn game, %(score)s"), gettext("A drawn game. It stands %(score)s"), values, "go")
        : say(gettext("wins the game, %(score)s"), gettext("wins the game. It stands %(score)s"), values, "go");
    }
    case "warned":
      return say(gettext("overlooks a play"), gettext("overlooks a play"), {}, "bad");
    case "ended": {
      const result = event.status?.result;
      const won = result && result.winner !== null;
      const text = won ? causeWords(result.cause) : drawWords(result?.cause);
      return say(text, text, {}, "go", won ? result.winner : null);
    }
    default:
      // A kind of a later version: named as it is rather than left out.
      return say(event.kind);
  }
}

/**
 * Words as plain text, cards spoken.
 * @param {Words} words
 * @param {string|null} name of the seat
 */
export function toText(words, name) {
  const spoken = {};
  for (const [key, value] of Object.entries(words.values)) {
    if (Array.isArray(value)) spoken[key] = value.map(cardName).join(", ");
    else spoken[key] = key === "card" ? cardName(value) : value;
  }
  const said = format(words.long, spoken);
  return name === null ? said : format(gettext("%(name)s: %(said)s"), { name, said });
}

/**
 * The short form as nodes.
 * @param {Pick<Words, "short"|"values">} words
 * @returns {(Node | string)[]}
 */
export function toNodes({ short, values }) {
  return short.split(/(%\(\w+\)s)/).flatMap((part) => {
    const name = /^%\((\w+)\)s$/.exec(part)?.[1];
    if (!name) return part ? [part] : [];
    const value = values[name];
    if (Array.isArray(value)) return value.flatMap((card, at) => (at ? [" ", cardNode(card)] : [cardNode(card)]));
    return name === "card" ? [cardNode(value)] : [String(value)];
  });
}

/** A card in running text: its rank and the sign of its suit. @param {string} text */
export function cardNode(text) {
  const { rank, suit } = parseCard(identity(text));
  const node = document.createElement("span");
  node.className = "card-word";
  node.dataset.suit = suit;
  node.append(rankText(rank), suitIcon(suit));
  return node;
}
