/** What an event sounds like and how it is told. Reads events, changes nothing. */

import { cardName, parseCard, rankName } from "../cards/card.js";
import { format, gettext } from "../text.js";
import { touch } from "../touch.js";
import { readyOrElse } from "./prompt.js";
import { endText, gameText, shortName, spokenPlay, stageTitle } from "./words.js";

/**
 * @param {import("./reducer.js").TableEvent} event
 * @param {import("./session.js").Session} session
 * @param {import("./board.js").Board} board
 * @returns {{sound?: import("./sounds.js").Sound, say?: string, mention?: string, note?: {place: string, text: string, tone: string}}}
 */
export function commentOn(event, session, board) {
  const { match, you, view } = session;
  const { seat } = event;
  const mine = seat !== undefined && seat === you;
  const name = seat === undefined ? "" : shortName(match, seat);
  switch (event.kind) {
    case "dealt": {
      const title = stageTitle(match, view) || gettext("The cards are dealt");
      return { sound: "turn", say: you === null || touch.matches ? title : format(gettext("%(title)s. Space when you are ready."), { title }) };
    }
    case "readied":
      if (event.status.phase === "countdown") return { say: gettext("Both ready") };
      return mine ? {} : { mention: format(gettext("%(name)s is ready"), { name }) };
    case "called":
      return mine ? {} : { mention: format(gettext("%(name)s calls spit"), { name }) };
    case "chose":
      return {
        mention: format(
          board.sideOf(event.pile) === "left" ? gettext("%(name)s chose the left pile") : gettext("%(name)s chose the right pile"),
          { name },
        ),
      };
    case "turned": {
      const cards = event.moves.map(([card]) => rankName(parseCard(card).rank)).join(", ");
      return { sound: "turn", say: format(gettext("Turned: %(cards)s"), { cards }) };
    }
    case "played": {
      const [card, , target] = event.moves[0];
      const play = spokenPlay(card, board.sideOf(target));
      // The own play was heard when it was made.
      return mine ? { say: play } : { sound: "theirs", mention: format(gettext("%(name)s: %(play)s"), { name, play }) };
    }
    case "flipped":
    case "refilled":
      return mine ? { say: cardName(event.moves[0][0]) } : { sound: "theirs" };
    case "missed":
      if (event.by !== you || you === null) return {};
      return {
        note: {
          place: event.pile,
          text: format(gettext("You were %(ms)s ms faster than %(name)s"), { ms: event.late, name }),
          tone: "good",
        },
      };
    case "stuck":
      return { sound: "stuck", say: you === null || touch.matches ? gettext("Stuck") : gettext("Stuck. Space to spit.") };
    case "cleared":
      return cleared(event, view, board);
    case "slapped": {
      if (seat === undefined) return { sound: "slap", say: gettext("Nobody slapped") };
      const left = board.sideOf(event.pile) === "left";
      const text = left ? gettext("%(name)s takes the left pile") : gettext("%(name)s takes the right pile");
      return { sound: "slap", say: format(text, { name }) };
    }
    case "warned":
      if (!mine) return {};
      return { sound: "tick", say: ["ready", "stuck"].includes(view.status.phase) ? readyOrElse(view.status) : gettext("You can play") };
    case "gathered":
      return { say: gettext("The side piles are empty") };
    case "reshuffled":
      return {
        sound: "turn",
        say: gettext("New side piles"),
        note: { place: "side.0", text: gettext("The centre was shuffled into new side piles"), tone: "plain" },
      };
    case "finished": {
      const { last, score } = event.status;
      // The end of the match is told by itself.
      if (event.status.phase !== "dealing") return {};
      const sound = last.winner === you ? "won" : you === null || last.winner === null ? "turn" : "lost";
      const { title, text } = gameText(match, event.status, you);
      const values = { title, text, score: score.join(" : ") };
      return { sound, say: format(gettext("%(title)s. %(text)s It stands %(score)s"), values) };
    }
    case "ended": {
      const { title, text, tone } = endText(match, event.status, you);
      const sound = tone === "won" ? "won" : tone === "lost" ? "lost" : "turn";
      // Why somebody left is not known yet: the panel tells it.
      return { sound, say: event.status.result.cause === "left" ? title : `${title}. ${text}` };
    }
    default:
      return {};
  }
}

function cleared(event, view, board) {
  if (!event.status || event.status.chooser !== null) return {};
  const sizes = {};
  for (const place of ["centre.0", "centre.1"]) sizes[board.sideOf(place)] = view.places[place].length;
  return { sound: "tick", say: format(gettext("Slap! Left pile %(left)s, right pile %(right)s."), sizes) };
}
