/**
 * The keyboard: one key a place, both hands. Keys are taken by where they lie, so that the row is a row on every
 * keyboard; what is printed on them is asked of the browser where it knows.
 */

import { layoutKnown, printed } from "../../site/keys.js";
import { rowOf, supplyOf } from "../legal.js";
import { settings } from "../settings.js";

/**
 * Which key is which place.
 * @param {import("../reducer.js").View} view
 * @param {0|1} seat
 * @param {import("../board.js").Board} board
 * @returns {Map<string, string>} places by code
 */
export function keysOf(view, seat, board) {
  const { keys: codes } = settings;
  const keys = new Map(rowOf(view, seat).map((name, index) => [codes[`row${index + 1}`], name]));
  for (const name of Object.keys(view.places)) {
    if (name.startsWith("centre.")) keys.set(codes[board.sideOf(name)], name);
  }
  const supply = supplyOf(view, seat);
  if (supply) keys.set(codes.go, supply);
  return keys;
}

/** The labels to print at the places. @param {Map<string, string>} keys @returns {Record<string, string>} */
export function keyLabels(keys) {
  return Object.fromEntries([...keys].map(([code, name]) => [name, printed(code).join(" ")]));
}

/**
 * @param {{press: (code: string) => boolean, cancel: () => void, relabel: () => void}} page
 */
export function listenToKeys({ press, cancel, relabel }) {
  layoutKnown.then((isKnown) => isKnown && relabel());
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, textarea, select, dialog, [contenteditable]")) return;
    if (event.code === "Space" && target.closest("a, button:not(.place, .hub), summary")) return;
    if (event.key === "Escape") cancel();
    else if (event.key === "?") return;
    else if (press(event.code)) event.preventDefault();
    else if (event.code === "Space") event.preventDefault();
  });
  // A button that has the focus would be pressed again when the space bar comes up.
  addEventListener("keyup", (event) => {
    if (event.code === "Space" && event.target.closest?.(".place, .hub")) event.preventDefault();
  });
}
