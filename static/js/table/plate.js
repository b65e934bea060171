/** The plate of a seat: who sits there, how many cards are left, what is to be known about them now. */

import { put } from "../put.js";
import { format, gettext, ngettext } from "../text.js";

/**
 * @typedef {object} PlateFacts
 * @property {boolean|null} [here] whether the seat is connected; null: not a live table
 * @property {number|null} [lag] ms
 * @property {string} [badge] a short word on a coloured ground: "ready", "spit!"
 * @property {"go"|"bad"|"plain"} [tone] of the badge
 * @property {{rating: number, provisional: boolean}|null} [moved] the rating after the match, once it is known
 * @property {string|null} [score] in a series: games won, or points
 */

/** From here on a line is slow enough to lose races by. */
export const SLOW_MS = 150;

/**
 * @param {import("./board.js").SeatInfo} seat
 * @param {"above"|"below"} position
 */
export function createPlate(seat, position) {
  const element = document.createElement("div");
  element.className = "plate";
  element.dataset.position = position;
  const part = (className, tag = "span") => {
    const child = document.createElement(tag);
    child.className = className;
    element.append(child);
    return child;
  };
  const dot = part("plate-dot");
  dot.hidden = true;
  const name = part("plate-name", seat.url ? "a" : "span");
  name.dir = "auto";
  name.textContent = seat.name;
  name.title = seat.name;
  if (seat.url) name.href = seat.url;
  const rating = part("plate-rating");
  if (seat.rating != null) rating.textContent = ratingText(seat);
  rating.hidden = seat.rating == null;
  const score = part("plate-score");
  score.hidden = true;
  const lag = part("plate-lag");
  lag.hidden = true;
  const left = part("plate-left");
  const number = document.createElement("b");
  // Before and after the number, wherever it stands in a language.
  const before = document.createTextNode("");
  const after = document.createTextNode("");
  left.append(before, number, after);
  const badge = part("plate-badge");
  badge.hidden = true;

  let shown = "";

  return {
    element,
    /** @param {number} count the cards the seat has yet to get rid of */
    showLeft(count) {
      const words = ngettext("%(count)s left", "%(count)s left", count).split("%(count)s");
      put(before, words[0]);
      // Some languages say one without the figure.
      put(number, words.length > 1 ? String(count) : "");
      put(after, words[1] ?? "");
    },
    /** @param {PlateFacts} facts */
    show(facts) {
      const now = JSON.stringify(facts);
      if (now === shown) return;
      shown = now;
      dot.hidden = facts.here == null;
      dot.dataset.here = String(facts.here);
      dot.title = facts.here ? gettext("here") : gettext("away");
      lag.hidden = facts.lag == null || facts.here === false;
      lag.dataset.slow = String(facts.lag >= SLOW_MS);
      lag.textContent = facts.lag == null ? "" : format(gettext("%(ms)s ms"), { ms: facts.lag });
      if (seat.rating != null) rating.textContent = ratingText(facts.moved ?? seat);
      score.hidden = facts.score == null;
      score.textContent = facts.score ?? "";
      badge.hidden = !facts.badge;
      badge.textContent = facts.badge ?? "";
      badge.dataset.tone = facts.tone ?? "plain";
    },
  };
}

/** @param {{rating: number, provisional?: boolean}} standing */
const ratingText = ({ rating, provisional }) => `${rating}${provisional ? "?" : ""}`;
