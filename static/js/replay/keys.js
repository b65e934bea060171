/**
 * The keys of the replay page: a table of what can be done and the keys that do it by default, and the listener. People
 * can have other keys (site/keys.js); what they do is listed on the sheet that `?` opens (site/sheet.js).
 */

import { WRITABLE, asByDefault } from "../site/keys.js";
import { SPEEDS } from "./player.js";

/** By comma and dot, ms. */
const NUDGE = 100;

/**
 * For each action its keys, as `keyOf` (site/keys.js) names them.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const KEYS = Object.freeze({
  play: ["Space", "k"],
  playBack: ["b", "Shift+Space"],
  stepBack: ["ArrowLeft"],
  step: ["ArrowRight"],
  contestBefore: ["Shift+ArrowLeft"],
  contestAfter: ["Shift+ArrowRight"],
  earlier: [","],
  later: ["."],
  roundBefore: ["PageUp"],
  roundAfter: ["PageDown"],
  home: ["Home"],
  end: ["End"],
  ...Object.fromEntries(SPEEDS.map((_, at) => [`speed${at + 1}`, [String(at + 1)]])),
  skip: ["w"],
  reveal: ["h"],
  flip: ["f"],
  closer: ["+", "="],
  wider: ["-"],
  partFrom: ["[", "i"],
  partTo: ["]", "o"],
  loop: ["r"],
  share: ["l"],
  send: ["s"],
});

/** Actions that go on while their key is held; any other would flicker. */
const HELD = new Set(["stepBack", "step", "contestBefore", "contestAfter", "earlier", "later"]);

/** Elements that want the space bar and Enter for themselves. */
const PRESSABLE = "a[href], button, summary, select, [role=option]";

/**
 * What the keys do.
 * @param {import("./player.js").Player} player
 * @param {{contests: number[], rounds: number[]}} stops indices to jump between
 * @param {Record<string, () => void>} page what only the page can do
 * @returns {Record<string, () => void>} by the names of `KEYS`
 */
export function actionsOf(player, stops, page) {
  return {
    play: () => player.toggle(1),
    playBack: () => player.toggle(-1),
    stepBack: () => player.step(-1),
    step: () => player.step(1),
    contestBefore: () => player.stepAmong(stops.contests, -1),
    contestAfter: () => player.stepAmong(stops.contests, 1),
    earlier: () => player.nudge(-NUDGE),
    later: () => player.nudge(NUDGE),
    roundBefore: () => player.stepAmong(stops.rounds, -1),
    roundAfter: () => player.stepAmong(stops.rounds, 1),
    home: () => player.home(),
    end: () => player.toEnd(),
    ...Object.fromEntries(SPEEDS.map((speed, at) => [`speed${at + 1}`, () => player.setSpeed(speed)])),
    ...page,
  };
}

/**
 * @param {Record<string, () => void>} actions by the names of `KEYS`
 * @param {Readonly<Record<string, readonly string[]>>} [keys]
 * @returns {() => void} stops listening
 */
export function listenToKeys(actions, keys = KEYS) {
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const name in keys) for (const key of keys[name]) names.set(key, name);

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest?.("dialog[open]") || target.closest?.(WRITABLE)) return;
    if ((event.key === " " || event.key === "Enter") && target.closest?.(PRESSABLE)) return;
    const name = names.get(asByDefault("replay", event));
    const action = actions[name];
    if (!action) return;
    if (event.repeat && !HELD.has(name)) return;
    event.preventDefault();
    action();
  }
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
