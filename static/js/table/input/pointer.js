/**
 * Mouse, pen and fingers: press and press, or drag. Everything happens at the press, not at the release, and each finger
 * is its own.
 */

import { isOwnPress } from "./click.js";

/** So far a pointer moves before it drags, in px. */
const SLOP = 7;
/** So near a place a card may be let go, in px. */
const REACH = 64;
/** So near a place a finger may come down, in px. */
const TOUCH_REACH = 14;

/**
 * @param {HTMLElement} root the board's element
 * @param {import("../board.js").Board} board
 * @param {import("../actions.js").Actions} actions
 * @param {(action: () => boolean) => boolean} act does what was asked
 */
export function listenToPointers(root, board, actions, act) {
  /** The one card that is being dragged or may be. */
  let held = null;

  const placeUnder = (event) => {
    const name = board.placeOf(event.target);
    if (name || event.pointerType === "mouse" || !actions.view) return name;
    if (event.target.closest("button, a")) return null;
    return board.nearest(event.clientX, event.clientY, Object.keys(actions.view.places), TOUCH_REACH);
  };

  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const name = placeUnder(event);
    if (!name) {
      if (!event.target.closest("button, a")) actions.select(null);
      return;
    }
    if (!held && actions.canHold(name)) {
      const wasSelected = actions.selected === name;
      // A card that is taken up again is put down at the release, since it may be dragged.
      if (wasSelected || act(() => actions.press(name))) {
        held = { id: event.pointerId, name, x: event.clientX, y: event.clientY, wasSelected, isDragged: false };
        capture(event);
      }
      return;
    }
    act(() => actions.press(name));
  });

  function capture(event) {
    try {
      root.setPointerCapture(event.pointerId);
    } catch {
      // The pointer has gone up already: its release was seen.
    }
  }

  root.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    const x = event.clientX - held.x;
    const y = event.clientY - held.y;
    if (!held.isDragged && Math.hypot(x, y) < SLOP) return;
    if (!actions.canHold(held.name)) {
      held = null;
      return;
    }
    held.isDragged = true;
    if (actions.selected !== held.name) actions.select(held.name);
    board.drag(held.name, x, y);
  });

  const release = (event) => {
    if (held?.id !== event.pointerId) return;
    const { name, isDragged, wasSelected } = held;
    held = null;
    if (!isDragged) {
      if (!wasSelected || actions.selected !== name) return;
      if (actions.playsAgain) act(() => actions.press(name));
      else actions.select(null);
      return;
    }
    const target =
      event.type === "pointerup" && actions.canHold(name)
        ? board.nearest(event.clientX, event.clientY, actions.drops(), REACH)
        : null;
    if (!target || !act(() => actions.put(name, target))) {
      actions.select(null);
      board.drop(name);
    }
  };
  root.addEventListener("pointerup", release);
  root.addEventListener("pointercancel", release);

  root.addEventListener("click", (event) => {
    if (!isOwnPress(event)) return;
    const name = board.placeOf(event.target);
    if (name) act(() => actions.press(name));
  });
  // A place that was pressed does not take the focus: the ring would stay there while the keys play elsewhere.
  root.addEventListener("mousedown", (event) => event.target.closest(".place, .hub") && event.preventDefault());
  // No native drag of a picture, no menu under a long press.
  root.addEventListener("dragstart", (event) => event.preventDefault());
  root.addEventListener("contextmenu", (event) => event.preventDefault());
}
