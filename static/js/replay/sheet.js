/** The sheet of keys: what `KEYS` has, in words. */

import { gettext } from "../text.js";
import { KEYS, LINES } from "./keys.js";

/** A key as it is printed. @param {string} key */
function keyCaps(key) {
  const words = {
    " ": gettext("Space"),
    ArrowLeft: "←",
    ArrowRight: "→",
    PageUp: gettext("Page up"),
    PageDown: gettext("Page down"),
    Home: gettext("Home"),
    End: gettext("End"),
    "-": "−",
  };
  const isShifted = key.startsWith("Shift+");
  const plain = isShifted ? key.slice(6) : key;
  const cap = words[plain] ?? plain.toUpperCase();
  return isShifted ? [gettext("Shift"), cap] : [cap];
}

/**
 * @param {HTMLElement} list a `dl`
 * @param {Readonly<Record<string, readonly string[]>>} [keys]
 */
export function writeSheet(list, keys = KEYS) {
  const rows = LINES.map(([names, words]) => {
    const row = document.createElement("div");
    const head = document.createElement("dt");
    const caps = names.flatMap((name, at) => {
      const found = keyCaps(keys[name][0]);
      // Both keys of a pair are held with Shift: it is printed once.
      return at && found.length > 1 ? found.slice(1) : found;
    });
    for (const cap of caps) {
      const key = document.createElement("kbd");
      key.textContent = cap;
      head.append(key, " ");
    }
    const text = document.createElement("dd");
    text.textContent = words();
    row.append(head, text);
    return row;
  });
  list.replaceChildren(...rows);
}
