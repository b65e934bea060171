/** What the plate of a seat says in a replay. */

import { gettext } from "../text.js";

/**
 * @param {import("../table/reducer.js").Status} status
 * @param {0|1} seat
 * @returns {import("../table/plate.js").PlateFacts}
 */
export function platesOf({ phase, ready, result }, seat) {
  if (phase === "over") return result?.winner === seat ? { badge: gettext("won"), tone: "go" } : { badge: "" };
  if (!ready[seat]) return { badge: "" };
  return { badge: phase === "ready" || phase === "countdown" ? gettext("ready") : gettext("spit!"), tone: "go" };
}
