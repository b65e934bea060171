/** Buttons that put something away: `data-dismiss` names what, as a selector of what the button lies in. */

import { gettext } from "../text.js";

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-dismiss]");
  if (!button) return;
  const away = button.closest(button.dataset.dismiss);
  // The focus would fall back to the beginning of the page.
  const next = away.contains(document.activeElement) ? document.getElementById("content") : null;
  away.remove();
  next?.focus({ preventScroll: true });
});

/** @param {string} what a selector @returns {HTMLButtonElement} */
export function dismissButton(what) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "dismiss";
  button.dataset.dismiss = what;
  button.setAttribute("aria-label", gettext("Dismiss"));
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("class", "icon");
  icon.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${document.body.dataset.icons}#x`);
  icon.append(use);
  button.append(icon);
  return button;
}
