/** What the plates of both seats say now, from the session. */

import { format, gettext, ngettext } from "../text.js";
import { countdown, isSeries } from "./words.js";

/** What a seat has won of a series so far. @returns {string|null} */
function scoreOf(match, view, seat) {
  if (!isSeries(match)) return null;
  const score = view.status.score[seat];
  const words = match.options.target ? ngettext("%(score)s point", "%(score)s points", score) : gettext("%(score)s won");
  return format(words, { score });
}

/**
 * @param {import("./session.js").Session} session
 * @param {import("./reducer.js").View} view what is shown
 * @param {0|1} seat
 * @returns {import("./plate.js").PlateFacts}
 */
export function plateFacts(session, view, seat) {
  const presence = session.presence.seats[seat];
  const isBot = session.match.seats[seat].bot;
  const here = presence && !isBot ? presence.here : null;
  const facts = { here, lag: isBot ? null : (presence?.lag ?? null), badge: "", tone: "plain", score: scoreOf(session.match, view, seat) };
  const { phase, ready, alone, chooser } = view.status;
  if (phase === "over") facts.moved = session.ratings.seats[seat];
  if (presence && !presence.here && presence.away_due !== null && phase !== "over") {
    facts.badge = format(gettext("away %(time)s"), { time: countdown(presence.away_due - session.clock.now()) });
    facts.tone = "bad";
  } else if (phase === "ready" && ready[seat]) {
    facts.badge = gettext("ready");
    facts.tone = "go";
  } else if ((phase === "playing" || phase === "stuck") && ready[seat]) {
    facts.badge = gettext("spit!");
    facts.tone = "go";
  } else if (phase === "slap" && chooser === seat) facts.badge = gettext("chooses");
  else if (phase === "stuck" && alone === seat) facts.badge = gettext("spits alone");
  return facts;
}
