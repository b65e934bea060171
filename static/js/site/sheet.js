/**
 * The sheet of keys (templates/preferences/keys.html), the same on every page: `?` opens it, and so does whatever is
 * marked `data-opens-keys`. It prints the keys as they are chosen. Elsewhere on the page a control marked
 * `data-hotkey="SCOPE.CONTROL"` is pressed by its key.
 */

import { WRITABLE, controlOf, layoutKnown, printed } from "./keys.js";
import { preferences } from "./preferences.js";

const sheet = /** @type {HTMLDialogElement|null} */ (document.getElementById("keys"));

function print() {
  for (const box of document.querySelectorAll("[data-prints]")) {
    const caps = printed(preferences.get(box.dataset.prints)).map((text) => {
      const cap = document.createElement("kbd");
      cap.textContent = text;
      return cap;
    });
    box.replaceChildren(...caps.flatMap((cap, index) => (index ? [" ", cap] : [cap])));
  }
}

function open() {
  if (sheet && !sheet.open) sheet.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest?.(WRITABLE) || target.closest?.("dialog[open]")) return;
  if (event.key === "?") {
    open();
    return;
  }
  // Who sits at the table plays with that key.
  if (document.querySelector("button.place") && controlOf("table", event)) return;
  const control = controlOf("view", event);
  const button = control && document.querySelector(`[data-hotkey="${control}"]:not([hidden])`);
  if (button) button.click();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-opens-keys]")) open();
});

preferences.addEventListener("change", print);
layoutKnown.then(print);
