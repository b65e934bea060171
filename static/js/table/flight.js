/** Motion: cards that travel, turn over, shake. Only transforms and opacity move, and nothing here delays a change. */

const quiet = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** Whether the reader asked for less motion, of the device or of this site. */
export const isQuiet = () => (quiet?.matches ?? false) || document.documentElement.dataset.motion === "less";

export const PLAY_MS = 120;
export const TURN_MS = 180;
export const BACK_MS = 200;
const OUT = "cubic-bezier(0.2, 0.75, 0.3, 1)";

/**
 * What moves now. Kept here because `getAnimations()` has the browser work out all styles each time it is asked.
 * @type {WeakMap<Element, Set<Animation>>}
 */
const running = new WeakMap();

/** `animate`, remembered while it runs. @param {Element} element @returns {Animation} */
function start(element, frames, timing) {
  const animation = element.animate(frames, timing);
  const own = running.get(element) ?? new Set();
  running.set(element, own.add(animation));
  const forget = () => own.delete(animation);
  animation.finished.then(forget, forget);
  return animation;
}

/**
 * Where an element on its way is now, beside where it lies: worked out from its flight, for to ask the page would have it laid out.
 * @type {WeakMap<Element, {flight: Animation, x: number, y: number}>}
 */
const paths = new WeakMap();

/** @param {Element} element @returns {{x: number, y: number}|null} px; null: it lies still */
export function offsetOf(element) {
  const path = paths.get(element);
  if (!path || path.flight.playState !== "running") return null;
  const left = 1 - (path.flight.effect.getComputedTiming().progress ?? 0);
  return { x: path.x * left, y: path.y * left };
}

/** Break off whatever an element is doing. @param {Element} element */
export function halt(element) {
  for (const animation of running.get(element) ?? []) animation.cancel();
}

/**
 * @typedef {object} Box a box in the coordinates of the board
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height
 */

/**
 * Let an element that already lies at `to` travel there from `from`, on a slight arc.
 * @param {HTMLElement} element
 * @param {Box} from
 * @param {Box} to
 * @param {{duration?: number, delay?: number, flip?: boolean}} [options]
 * @returns {Animation}
 */
export function fly(element, from, to, { duration = PLAY_MS, delay = 0, flip = false } = {}) {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const timing = { duration, delay, fill: "backwards", easing: OUT };
  const animation = start(
    element,
    [
      { translate: `${x}px ${y}px`, scale: `${from.width / to.width}` },
      { translate: "0 0", scale: "1" },
    ],
    timing,
  );
  paths.set(element, { flight: animation, x, y });
  const lift = Math.min(18, Math.hypot(x, y) / 14);
  start(element, [{ transform: "none" }, { transform: `translateY(${-lift}px)` }, { transform: "none" }], {
    duration,
    delay,
    easing: "ease-in-out",
  });
  if (flip) turnOver(element, { duration, delay });
  return animation;
}

/** Show a card that lies face up now as if it had just been turned: its back until it stands on edge, then its face. */
export function turnOver(element, { duration = TURN_MS, delay = 0 } = {}) {
  const timing = { duration, delay, fill: "backwards" };
  start(element, [{ rotate: "y 0deg" }, { rotate: "y 90deg" }, { rotate: "y 0deg" }], timing);
  if (element.dataset.face === "down") return;
  start(element.lastElementChild, [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.5 }, { opacity: 0 }], timing);
}

/** One short shake: no. */
export function shake(element) {
  if (isQuiet()) return;
  start(
    element,
    { transform: ["none", "translateX(-5px)", "translateX(4px)", "translateX(-2px)", "none"] },
    { duration: BACK_MS, easing: "ease-out" },
  );
}

/** For those who want less motion: a brief outline instead of a path. */
export function outline(element) {
  element.animate({ outlineColor: ["var(--text)", "transparent"] }, { duration: 450, easing: "ease-in" });
}
