/**
 * Which clicks are presses of their own. What is pressed here acts when the pointer goes down; the browser tells of a click
 * when it comes up again, which is no second press, however long the pointer was held. The keyboard's Enter and what
 * assistive programs send come as clicks without a pointer.
 */

/** A click this soon after a pointer came up is that pointer's, in ms: it follows at once, with a finger a little later. */
const SAME_POINTER_MS = 900;

let releasedAt = -Infinity;
addEventListener("pointerup", (event) => (releasedAt = event.timeStamp), { capture: true, passive: true });

/** Whether nothing has gone down for that click. @param {MouseEvent} click */
export const isOwnPress = (click) => click.detail === 0 || click.timeStamp - releasedAt > SAME_POINTER_MS;
