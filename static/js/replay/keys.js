/**
 * The keys of the replay page, by the keys that they have by default; people can have others (site/keys.js). What they
 * do is listed on the sheet that `?` opens.
 */

import { asByDefault } from "../site/keys.js";
import { SPEEDS } from "./player.js";

/** By comma and dot, ms. */
const NUDGE = 100;

/** Elements that want the space bar and Enter for themselves. */
const PRESSABLE = "a[href], button, summary, select, [role=option]";
const WRITABLE = "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]";

/**
 * @param {import("./player.js").Player} player
 * @param {{contests: number[], rounds: number[]}} stops indices to jump between
 * @param {{flip: () => void, reveal: () => void, skip: () => void, share: () => void, sheet: () => void,
 *   zoom: (factor: number) => void}} page what only the page can do
 * @returns {() => void} stops listening
 */
export function listenToKeys(player, stops, page) {
  const plain = {
    " ": () => player.toggle(1),
    k: () => player.toggle(1),
    b: () => player.toggle(-1),
    ArrowRight: () => player.step(1),
    ArrowLeft: () => player.step(-1),
    Home: () => player.home(),
    End: () => player.toEnd(),
    ".": () => player.nudge(NUDGE),
    ",": () => player.nudge(-NUDGE),
    PageUp: () => player.stepAmong(stops.rounds, -1),
    PageDown: () => player.stepAmong(stops.rounds, 1),
    f: page.flip,
    h: page.reveal,
    w: page.skip,
    l: page.share,
    "?": page.sheet,
    "+": () => page.zoom(1.6),
    "=": () => page.zoom(1.6),
    "-": () => page.zoom(1 / 1.6),
  };
  SPEEDS.forEach((speed, at) => {
    plain[String(at + 1)] = () => player.setSpeed(speed);
  });
  const shifted = {
    ...plain,
    ArrowRight: () => player.stepAmong(stops.contests, 1),
    ArrowLeft: () => player.stepAmong(stops.contests, -1),
    " ": () => player.toggle(-1),
  };

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest?.("dialog[open]") || target.closest?.(WRITABLE)) return;
    if ((event.key === " " || event.key === "Enter") && target.closest?.(PRESSABLE)) return;
    const meant = asByDefault("replay", event);
    const key = meant.replace(/^Shift\+/, "").replace("Space", " ");
    const action = (meant.startsWith("Shift+") ? shifted : plain)[key];
    if (!action) return;
    // Held down, a key that toggles would flicker.
    if (event.repeat && !key.startsWith("Arrow") && key !== "," && key !== ".") return;
    event.preventDefault();
    action();
  }
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
