/**
 * Keys: which key means which control, and what is printed on it. The one place that the table, the replay and the sheet
 * of keys read them from.
 */

import { BY, CONTROLS, SIGNS } from "./catalogue.js";
import { preferences } from "./preferences.js";
import { gettext } from "../text.js";

const NAMES = {
  Space: () => gettext("Space"),
  Escape: () => gettext("Esc"),
  ArrowLeft: () => "←",
  ArrowRight: () => "→",
  ArrowUp: () => "↑",
  ArrowDown: () => "↓",
  PageUp: () => gettext("Page up"),
  PageDown: () => gettext("Page down"),
  Home: () => gettext("Home"),
  End: () => gettext("End"),
  Insert: () => gettext("Insert"),
  Delete: () => gettext("Delete"),
  Shift: () => gettext("Shift"),
};

/** Fields and the like want letters for themselves. */
export const WRITABLE = "input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select, [contenteditable]";

/** What is printed on the keys of this keyboard, where the browser tells. @type {{get: (code: string) => string|undefined}} */
let layout = new Map();

/** Becomes true once the browser has told what is printed on the keys. */
export const layoutKnown = (navigator.keyboard?.getLayoutMap?.() ?? Promise.reject(new Error("unknown"))).then(
  (map) => {
    layout = map;
    return true;
  },
  () => false, // Not allowed here: what the usual keyboard has is printed.
);

/** A key as it is printed; keys to be pressed together as several. @param {string} key @returns {string[]} */
export const printed = (key) => (key.length > 1 ? key.split("+") : [key]).map(printedOne);

function printedOne(key) {
  if (NAMES[key]) return NAMES[key]();
  return (layout.get(key) ?? SIGNS[key] ?? key.replace(/^(Key|Digit|Numpad)(?=.)/, "")).toUpperCase();
}

/** The name of the key of an event, as keys are kept for a scope. @param {string} scope @param {KeyboardEvent} event */
export function keyOf(scope, event) {
  if (BY[scope] === "code") return event.code;
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.shiftKey && key.length > 1 && key !== "Shift" ? `Shift+${key}` : key;
}

/** Controls of a scope. @param {string} scope @returns {[name: string, control: string][]} */
export const controlsOf = (scope) =>
  Object.keys(CONTROLS)
    .filter((name) => CONTROLS[name].scope === scope)
    .map((name) => [name, name.slice(`key.${scope}.`.length)]);

/** What a key means in a scope, null if nothing. @param {string} scope @param {KeyboardEvent} event @returns {string|null} */
export function controlOf(scope, event) {
  const key = keyOf(scope, event);
  for (const [name, control] of controlsOf(scope)) {
    if (preferences.get(name) === key || CONTROLS[name].also?.includes(key)) return control;
  }
  return null;
}

/**
 * The key that means by default what the key of an event means now: for code that is written in terms of the keys by
 * default. A key that means nothing any more is "".
 * @param {string} scope
 * @param {KeyboardEvent} event
 */
export function asByDefault(scope, event) {
  const key = keyOf(scope, event);
  const control = controlOf(scope, event);
  if (control !== null) {
    const name = `key.${scope}.${control}`;
    return preferences.get(name) === key ? CONTROLS[name].default : key;
  }
  const isFree = controlsOf(scope).some(([name]) => CONTROLS[name].default === key);
  return isFree ? "" : key;
}

/** Who else in its scope has that key. @param {string} name of a preference @param {string} key @returns {string|null} */
export function holderOf(name, key) {
  const { scope } = CONTROLS[name];
  for (const [other] of controlsOf(scope)) {
    if (other !== name && (preferences.get(other) === key || CONTROLS[other].also?.includes(key))) return other;
  }
  return null;
}

/** Keys that nobody can have: browsers and assistive programs need them. @param {string} scope @param {string} key */
export function isUsable(scope, key) {
  const moves = "Space|Arrow(Left|Right|Up|Down)|Page(Up|Down)|Home|End|Insert|Delete";
  const known =
    BY[scope] === "code"
      ? new RegExp(`^(Key[A-Z]|Digit\\d|Numpad\\d|${Object.keys(SIGNS).join("|")}|${moves})$`)
      : new RegExp(`^((Shift\\+)?(${moves})|[^\\s?])$`);
  return known.test(key);
}
