/** Mouse, pen and fingers: what goes down acts, and what comes up again does not act once more. */

import { Hub } from "../../static/js/table/hub.js";
import { listenToPointers } from "../../static/js/table/input/pointer.js";
import { ServerClock } from "../../static/js/net/clock.js";
import { equal, ok, test } from "./harness.js";

/** A board of one place that can be pressed and not held, and a list of what was pressed. */
function table() {
  const root = document.createElement("div");
  const place = document.createElement("button");
  place.dataset.place = "0.spit";
  root.append(place);
  document.body.append(root);
  const pressed = [];
  const board = { placeOf: (node) => node?.closest?.("[data-place]")?.dataset.place ?? null };
  const actions = { canHold: () => false, press: (name) => pressed.push(name), select: () => {}, selected: null };
  listenToPointers(root, board, actions, (action) => action());
  return { place, pressed };
}

/** An event of the mouse, at a time in ms. */
function send(target, type, at, options = {}) {
  const event = new PointerEvent(type, { bubbles: true, cancelable: true, pointerId: 1, pointerType: "mouse", detail: 1, ...options });
  Object.defineProperty(event, "timeStamp", { value: at });
  target.dispatchEvent(event);
}

function press(target, from, to) {
  send(target, "pointerdown", from);
  send(target, "pointerup", to);
  send(target, "click", to);
}

test("a press acts once, however long it is held", () => {
  const { place, pressed } = table();
  press(place, 1000, 1080);
  equal(pressed.length, 1);
  press(place, 5000, 8000);
  equal(pressed.length, 2, "held for three seconds");
});

test("Enter, and a program that presses for somebody, come without a pointer", () => {
  const { place, pressed } = table();
  press(place, 20000, 20080);
  send(place, "click", 20100, { detail: 0 });
  equal(pressed.length, 2);
  send(place, "click", 30000);
  equal(pressed.length, 3);
});

test("the middle of the table is pressed once as well", () => {
  const root = document.createElement("div");
  document.body.append(root);
  let count = 0;
  const hub = new Hub(root, { clock: new ServerClock(), onPress: () => (count += 1) });
  const button = root.querySelector(".hub");
  hub.show({ kind: "button", label: "Ready", action: "ready" });
  press(button, 40000, 42000);
  equal(count, 1);
  hub.show({ kind: "words", label: "waiting", action: null });
  press(button, 50000, 50050);
  button.click();
  equal(count, 1);
  ok(!button.disabled, "it keeps the focus");
  equal(button.ariaDisabled, "true");
});

test("the middle that is not to be seen leaves the focus at the table", () => {
  const group = document.createElement("div");
  group.tabIndex = -1;
  document.body.append(group);
  const hub = new Hub(group, { clock: new ServerClock(), onPress: () => {} });
  hub.show({ kind: "button", label: "Ready", action: "ready" });
  group.querySelector(".hub").focus();
  hub.show({ kind: "none" });
  ok(document.activeElement === group);
});
