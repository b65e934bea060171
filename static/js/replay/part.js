/** The part on the timeline that is played again and again: a band over both lanes, with a grip at either end. */

import { gettext } from "../text.js";
import { exactTime } from "./moment.js";

/** Of the grips, by arrow keys, ms. */
const NUDGE = 100;

/**
 * @param {HTMLElement} lanes
 * @param {{player: import("./player.js").Player, scale: import("./scale.js").Scale, xOf: (event: PointerEvent) => number}} parts
 */
export function createPart(lanes, { player, scale, xOf }) {
  const band = document.createElement("div");
  band.className = "timeline-part";
  band.hidden = true;
  lanes.append(band);
  let shown = null;

  const grips = ["from", "to"].map((end) => {
    // For the pointer alone: the keys [ and ] set the ends.
    const grip = document.createElement("span");
    grip.className = "timeline-grip";
    grip.dataset.end = end;
    band.append(grip);
    return grip;
  });

  function move(end, ms) {
    if (!player.loop) return;
    const other = end === "from" ? player.loop.to : player.loop.from;
    const kept = end === "from" ? Math.min(ms, other - NUDGE) : Math.max(ms, other + NUDGE);
    player.setLoop(end === "from" ? { from: kept, to: other } : { from: other, to: kept });
  }

  for (const grip of grips) {
    grip.addEventListener("pointerdown", (event) => {
      grip.setPointerCapture(event.pointerId);
      const drag = (at) => move(grip.dataset.end, scale.ms(xOf(at)));
      grip.addEventListener("pointermove", drag);
      grip.addEventListener("lostpointercapture", () => grip.removeEventListener("pointermove", drag), { once: true });
    });
  }

  function place() {
    const { loop } = player;
    band.hidden = !loop;
    if (!loop) return;
    const left = Math.max(scale.x(loop.from), -2);
    const right = Math.min(scale.x(loop.to), scale.width + 2);
    band.hidden = right <= left;
    band.style.left = `${left}px`;
    band.style.width = `${Math.max(2, right - left)}px`;
    band.dataset.cutFrom = String(loop.from < scale.from);
    band.dataset.cutTo = String(loop.to > scale.to);
    band.title = `${exactTime(loop.from)} – ${exactTime(loop.to)}`;
    for (const grip of grips) grip.title = gettext("Drag to change the part");
  }

  return {
    place,
    /** Draw it again if it is another one. */
    show() {
      if (shown === player.loop) return;
      shown = player.loop;
      place();
    },
    /**
     * Whether a press is the part's own: on a grip, or with Shift, which draws a new part from there.
     * @param {PointerEvent} event
     */
    takes(event) {
      if (event.target.closest(".timeline-grip")) return true;
      if (!event.shiftKey) return false;
      const from = scale.ms(xOf(event));
      lanes.setPointerCapture(event.pointerId);
      const drag = (at) => player.setLoop({ from, to: scale.ms(xOf(at)) });
      lanes.addEventListener("pointermove", drag);
      lanes.addEventListener("lostpointercapture", () => lanes.removeEventListener("pointermove", drag), { once: true });
      return true;
    },
  };
}
