/**
 * The page of preferences: a table to look at while choosing, and fields that take the key that is pressed in them. That a
 * choice takes effect is none of its business (choices.js).
 */

import { createBoard } from "../table/board.js";
import { Sounds } from "../table/sounds.js";
import { format, gettext } from "../text.js";
import { CONTROLS } from "./catalogue.js";
import { holderOf, isUsable, keyOf, layoutKnown, printed } from "./keys.js";
import { preferences } from "./preferences.js";

/** Which hand plays the row: the keys of the other one are the piles'. */
const HANDS = {
  left: { row1: "KeyA", row2: "KeyS", row3: "KeyD", row4: "KeyF", row5: "KeyG", row6: "KeyH", left: "KeyJ", right: "KeyK" },
  right: { row1: "KeyH", row2: "KeyJ", row3: "KeyK", row4: "KeyL", row5: "Semicolon", row6: "Quote", left: "KeyD", right: "KeyF" },
};
/** A position with every suit, something that fits, and something that does not. */
const PLACES = {
  "0.stockpile.1": ["9c"],
  "0.stockpile.2": ["-", "Qd"],
  "0.stockpile.3": ["-", "-", "4s"],
  "0.stockpile.4": ["-", "-", "-", "Th"],
  "0.stockpile.5": ["-", "-", "-", "-", "2c"],
  "centre.0": ["5d", "8h"],
  "centre.1": ["Ks"],
};
const IGNORED = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Process", "Unidentified"]);

const form = document.getElementById("preferences");
const said = document.getElementById("preferences-said");

// The table to look at

const seats = [{ name: gettext("You") }, { name: gettext("Your friend") }];
const board = createBoard(document.getElementById("preview"), { match: { seats } });
board.render(
  { seq: 0, at: 0, places: PLACES, status: /** @type {any} */ ({ phase: "playing", round: 1 }) },
  { animate: false },
);
board.mark({ targets: ["0.stockpile.1"] });

function showBoard() {
  const label = (control) => printed(preferences.key("table", control)).join(" ");
  const keys = { "centre.1": label("left"), "centre.0": label("right") };
  for (let number = 1; number <= 5; number += 1) keys[`0.stockpile.${number}`] = label(`row${number}`);
  board.setKeys(keys);
}

// Sounds

const sounds = new Sounds(
  () => preferences.isOn("sounds"),
  () => Number(preferences.get("volume")) / 100,
);
const hear = document.getElementById("preferences-hear");
hear.hidden = false;
hear.addEventListener("click", () => sounds.make("slap"));

// Keys

/** @returns {HTMLInputElement[]} */
const fields = () => [...form.querySelectorAll("[data-key]")];
const labelOf = (name) => form.querySelector(`label[for="${CSS.escape(fieldOf(name).id)}"]`)?.textContent ?? "";
const fieldOf = (name) => fields().find((field) => field.name === name);

function showKeys() {
  for (const field of fields()) field.value = printed(preferences.get(field.name)).join(" ");
  showBoard();
}

/** Say beside a field what is wrong, and what can be done about it. */
function say(field, text, button = null) {
  const box = field.parentElement.querySelector(".key-said");
  box.replaceChildren();
  field.toggleAttribute("aria-invalid", Boolean(text));
  if (!text) return;
  const line = document.createElement("p");
  line.className = "field-error";
  line.setAttribute("role", "alert");
  line.textContent = text;
  box.append(line);
  if (button) box.append(button);
}

/** @param {KeyboardEvent} event */
function take(event) {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.key === "Tab" || IGNORED.has(event.key)) return;
  event.preventDefault();
  if (event.key === "Escape" || event.key === "Enter") {
    say(field, "");
    return;
  }
  const { scope } = CONTROLS[field.name];
  choose(field, keyOf(scope, event));
}

function choose(field, key) {
  const { name } = field;
  const caps = printed(key).join(" ");
  if (!isUsable(CONTROLS[name].scope, key)) {
    say(field, gettext("That key cannot be used. A letter, a figure, a sign, Space or an arrow can."));
    return;
  }
  const holder = holderOf(name, key);
  if (!holder) {
    say(field, "");
    preferences.set({ [name]: key });
    return;
  }
  const other = fieldOf(holder);
  const text = format(gettext("%(key)s is already the key for: %(control)s"), {
    key: caps,
    control: other ? labelOf(holder) : gettext("something that keeps its key"),
  });
  say(field, text, other && preferences.get(holder) === key ? swapButton(field, holder, key) : null);
}

function swapButton(field, holder, key) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-s";
  button.textContent = gettext("Swap the two");
  button.addEventListener("click", () => {
    const own = preferences.get(field.name);
    preferences.set({ [holder]: own, [field.name]: key });
    say(field, "");
    field.focus();
  });
  return button;
}

for (const field of fields()) {
  // Nothing is written into it; and a phone need not show its keyboard.
  field.readOnly = true;
  field.addEventListener("keydown", take);
}
for (const part of form.querySelectorAll(".keys-live")) part.hidden = false;
for (const part of form.querySelectorAll(".keys-plain, .preferences-save")) part.hidden = true;

form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-hands]");
  if (!button) return;
  const chosen = HANDS[button.dataset.hands];
  preferences.set(Object.fromEntries(Object.entries(chosen).map(([control, key]) => [`key.table.${control}`, key])));
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const what = event.submitter?.value;
  if (event.submitter?.name === "reset") preferences.reset((name) => what === "all" || name in CONTROLS);
  for (const field of fields()) say(field, "");
});

// What became of it

preferences.addEventListener("change", () => {
  showKeys();
  said.textContent = "";
});
preferences.addEventListener("kept", () => (said.textContent = gettext("Kept.")));
preferences.addEventListener("unkept", () => {
  said.textContent = gettext("Not kept with your account yet: no connection. It is in this browser.");
});
showKeys();
layoutKnown.then(showKeys);
