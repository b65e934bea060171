/** Preferences and keys, as scripts have them. */

import { equal, ok, test } from "./harness.js";

const { Preferences, preferences } = await import("/static/js/site/preferences.js");
const { asByDefault, controlOf, holderOf, isUsable, keyOf, printed } = await import("/static/js/site/keys.js");
const { settings } = await import("/static/js/table/settings.js");

/** @param {Record<string, string>} [data] */
function root(data = {}) {
  const element = document.createElement("div");
  Object.assign(element.dataset, data);
  return element;
}

const press = (init) => /** @type {any} */ ({ shiftKey: false, code: "", ...init });

test("what the page brings is what is chosen, nonsense is as by default", () => {
  const chosen = new Preferences(root({ preferences: "theme=dark&deck=five&nothing=x&volume=40" }));
  equal(["theme", "deck", "volume", "cards"].map((name) => chosen.get(name)), ["dark", "two", "40", "normal"]);
});

test("a choice shows on the root and is told; the default is no attribute", () => {
  const element = root();
  const chosen = new Preferences(element);
  const told = [];
  chosen.addEventListener("change", (event) => told.push(...event.detail.names));
  chosen.set({ theme: "contrast", volume: "10" });
  equal(element.dataset.theme, "contrast");
  equal(element.dataset.volume, undefined, "volume, which no stylesheet wants");
  chosen.set({ theme: "contrast" });
  chosen.set({ theme: "auto" });
  equal(element.dataset.theme, undefined);
  equal(told, ["theme", "volume", "theme"]);
  equal(chosen.text, "volume=10");
});

test("what nobody can choose is not chosen", () => {
  const chosen = new Preferences(root());
  chosen.set({ theme: "purple", nothing: "x", "key.table.left": "" });
  equal(chosen.text, "");
});

test("another tab's choice is taken", async () => {
  const one = new Preferences(root());
  const other = new Preferences(root());
  const heard = new Promise((done) => other.addEventListener("change", done, { once: true }));
  one.set({ deck: "four" });
  await heard;
  equal(other.get("deck"), "four");
});

test("what is of the account alone is chosen, told to its other tabs, and not for the browser to keep", async () => {
  const fetchedBefore = globalThis.fetch;
  globalThis.fetch = async () => new Response("{}", { status: 200 });
  const one = new Preferences(root({ preferences: "online=no&theme=dark" }), { address: "/keep/" });
  const other = new Preferences(root(), { address: "/keep/" });
  const stranger = new Preferences(root());
  equal([one.get("online"), one.text], ["no", "theme=dark"]);
  const heard = Promise.all(
    [other, stranger].map((each) => new Promise((done) => each.addEventListener("change", done, { once: true }))),
  );
  one.set({ challenges: "nobody" });
  await heard;
  equal([other.get("challenges"), other.get("theme")], ["nobody", "dark"]);
  // Nobody is signed in there: it learns nothing of it.
  equal([stranger.get("challenges"), stranger.get("theme")], ["everybody", "dark"]);
  equal(one.text, "theme=dark");
  // And what it says changes nothing of it.
  const again = new Promise((done) => one.addEventListener("change", done, { once: true }));
  stranger.set({ deck: "four" });
  await again;
  equal([one.get("deck"), one.get("challenges")], ["four", "nobody"]);
  globalThis.fetch = fetchedBefore;
});

test("a reset can be of a part", () => {
  const chosen = new Preferences(root({ preferences: "theme=dark&key.table.left=KeyU" }));
  chosen.reset((name) => name.startsWith("key."));
  equal(chosen.text, "theme=dark");
});

test("table settings are plain values and tell of changes", () => {
  let changes = 0;
  settings.addEventListener("change", () => (changes += 1));
  equal([settings.sound, settings.volume, settings.oneTap, settings.keys.left], [true, 1, false, "KeyJ"]);
  preferences.set({ volume: "30", tap: "fits" });
  preferences.set({ "key.table.left": "KeyU" });
  equal([settings.volume, settings.oneTap, settings.keys.left], [0.3, true, "KeyU"]);
  equal(changes, 2);
  preferences.reset();
  equal([settings.volume, settings.keys.left], [1, "KeyJ"]);
});

test("a key is what it was chosen for", () => {
  equal(controlOf("table", press({ code: "KeyJ", key: "j" })), "left");
  preferences.set({ "key.table.left": "KeyU" });
  equal(controlOf("table", press({ code: "KeyJ", key: "j" })), null);
  equal(controlOf("table", press({ code: "KeyU", key: "u" })), "left");
  preferences.reset();
});

test("outside the table a key is what is printed on it, with Shift where it has no sign of its own", () => {
  equal(keyOf("replay", press({ key: "B", shiftKey: true })), "b");
  equal(keyOf("replay", press({ key: " " })), "Space");
  equal(keyOf("replay", press({ key: "ArrowLeft", shiftKey: true })), "Shift+ArrowLeft");
  equal(keyOf("table", press({ key: "q", code: "KeyA" })), "KeyA");
});

test("code that knows keys by default hears those that were chosen", () => {
  const key = (text) => asByDefault("replay", press({ key: text }));
  equal([key("b"), key("k"), key("x"), key("Escape")], ["b", "k", "x", "Escape"]);
  preferences.set({ "key.replay.back": "x" });
  equal([key("b"), key("x")], ["", "b"]);
  preferences.set({ "key.replay.back": "f", "key.replay.flip": "b" });
  equal([key("b"), key("f")], ["f", "b"]);
  preferences.reset();
});

test("who holds a key, and which nobody can have", () => {
  equal(holderOf("key.table.left", "KeyS"), "key.table.row2");
  equal(holderOf("key.replay.back", "k"), "key.replay.play");
  equal(holderOf("key.table.left", "KeyU"), null);
  ok(isUsable("table", "Semicolon") && isUsable("replay", "é") && isUsable("replay", "Shift+Home"));
  ok(!["Tab", "Enter", "Escape", "F5", "Shift"].some((key) => isUsable("table", key)), "keys of the browser stay its own");
  ok(!["?", "Tab", " "].some((key) => isUsable("replay", key)), "the sheet's key stays its own");
});

test("keys are printed as people know them", () => {
  equal([printed("KeyA"), printed("Semicolon"), printed("Shift+ArrowLeft"), printed("+")], [["A"], [";"], ["Shift", "←"], ["+"]]);
});

test("moments are said by the clock that was chosen, wherever a script writes them", async () => {
  const { dayAndTime, timeOfDay } = await import("/static/js/site/times.js");
  document.body.innerHTML = '<time datetime="2026-05-01T17:30:05" data-clock>then</time>';
  const evening = new Date("2026-05-01T17:30:05");
  document.documentElement.lang = "en";
  preferences.set({ clock: "12" });
  ok(/5:30:05\sPM/.test(timeOfDay(evening)), timeOfDay(evening));
  ok(/5:30\sPM/.test(document.querySelector("time").textContent));
  preferences.set({ clock: "24" });
  equal(timeOfDay(evening), "17:30:05");
  ok(dayAndTime(evening).endsWith("17:30"), dayAndTime(evening));
  equal(document.querySelector("time").textContent, dayAndTime(evening));
});
