/** The middle of the board in a replay: the time to the millisecond, what the table waits for, and for how long yet. */

import { gettext } from "../text.js";
import { clockParts } from "./moment.js";

const SVG = "http://www.w3.org/2000/svg";
/** Of the ring, in its own units. */
const RADIUS = 46;
const LENGTH = 2 * Math.PI * RADIUS;

/** @param {string} phase */
function phaseWord(phase) {
  const words = {
    dealing: gettext("dealing"),
    ready: gettext("get ready"),
    countdown: gettext("ready"),
    stuck: gettext("stuck"),
    slap: gettext("slap!"),
    over: gettext("over"),
  };
  return words[phase] ?? "";
}

/** @param {HTMLElement} root the board's hub */
export function createHub(root) {
  const make = (className, tag = "span") => {
    const element = document.createElement(tag);
    element.className = className;
    return element;
  };
  const face = make("replay-clock", "div");
  const ring = document.createElementNS(SVG, "svg");
  ring.setAttribute("viewBox", "-50 -50 100 100");
  ring.setAttribute("class", "replay-ring");
  ring.setAttribute("aria-hidden", "true");
  const circle = (className) => {
    const element = document.createElementNS(SVG, "circle");
    element.setAttribute("r", String(RADIUS));
    element.setAttribute("class", className);
    ring.append(element);
    return element;
  };
  circle("replay-ring-ground");
  const arc = circle("replay-ring-arc");
  arc.setAttribute("stroke-dasharray", String(LENGTH));
  const time = make("replay-time");
  const fraction = make("replay-fraction");
  const word = make("replay-phase");
  face.append(ring, time, fraction, word);
  root.append(face);

  return {
    /**
     * @param {import("../table/reducer.js").Status} status
     * @param {number} ms the time shown
     */
    show({ phase, since, due }, ms) {
      const parts = clockParts(ms);
      if (time.textContent !== parts.clock) time.textContent = parts.clock;
      fraction.textContent = `.${parts.fraction}`;
      if (face.dataset.phase !== phase) {
        face.dataset.phase = phase;
        word.textContent = phaseWord(phase);
      }
      const runs = due !== null && due > since;
      face.dataset.runs = String(runs);
      if (!runs) return;
      const left = Math.min(Math.max((due - ms) / (due - since), 0), 1);
      arc.setAttribute("stroke-dashoffset", String(LENGTH * (1 - left)));
    },
  };
}
