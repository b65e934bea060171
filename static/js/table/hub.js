/** The middle of the table: the clock ring, the Ready button, a word. The only writer of the board's hub. */

import { put, putAttribute } from "../put.js";
import { printed } from "../site/keys.js";
import { isOwnPress } from "./input/click.js";
import { settings } from "./settings.js";

const SVG = "http://www.w3.org/2000/svg";
const RADIUS = 44;
const AROUND = 2 * Math.PI * RADIUS;

export class Hub {
  /**
   * @param {HTMLElement} root the board's hub
   * @param {{clock: import("../net/clock.js").ServerClock, onPress?: (action: string) => void,
   *   onSecond?: () => void}} options `onPress`: none where one only looks on; `onSecond`: another second of a long
   *   countdown has passed
   */
  constructor(root, { clock, onPress, onSecond = () => {} }) {
    this.clock = clock;
    this.onPress = onPress;
    this.onSecond = onSecond;
    this.prompt = { kind: "none" };
    this.shown = "";
    this.timer = 0;

    this.box = document.createElement("button");
    this.box.type = "button";
    this.box.className = "hub";
    this.ring = document.createElementNS(SVG, "svg");
    this.ring.setAttribute("viewBox", "0 0 100 100");
    this.ring.setAttribute("class", "hub-ring");
    this.ring.setAttribute("aria-hidden", "true");
    const circle = (className) => {
      const element = document.createElementNS(SVG, "circle");
      element.setAttribute("class", className);
      element.setAttribute("cx", "50");
      element.setAttribute("cy", "50");
      element.setAttribute("r", String(RADIUS));
      this.ring.append(element);
      return element;
    };
    circle("hub-track");
    this.arc = circle("hub-arc");
    const line = (className) => {
      const element = document.createElement("span");
      element.className = className;
      return element;
    };
    this.title = line("hub-title");
    this.time = line("hub-time");
    this.label = line("hub-label");
    this.key = line("hub-key");
    this.key.setAttribute("aria-hidden", "true");
    this.box.append(this.ring, this.title, this.time, this.label, this.key);
    root.replaceChildren(this.box);
    this.box.disabled = !onPress;
    this.box.setAttribute("aria-disabled", "true");
    // At the press, not at the release: every millisecond counts here.
    this.box.addEventListener("pointerdown", (event) => event.button === 0 && this.#press());
    this.box.addEventListener("click", (event) => isOwnPress(event) && this.#press());
  }

  #press() {
    if (this.prompt.action) this.onPress?.(this.prompt.action);
  }

  /** @param {import("./prompt.js").Prompt} prompt */
  show(prompt) {
    // After a restart of the server its clock is another one, and the ring stands elsewhere.
    const { resets, isStopped } = this.clock;
    const key = JSON.stringify([prompt, resets, isStopped, settings.keys.go]);
    if (key === this.shown) return;
    this.shown = key;
    this.prompt = prompt;
    const { box } = this;
    box.dataset.kind = prompt.kind;
    box.dataset.tone = prompt.tone ?? "wait";
    // Not `disabled`: a button that has the focus would lose it by being pressed.
    putAttribute(box, "aria-disabled", String(!prompt.action));
    // What is not to be seen cannot have it: then it stays at the table.
    if (prompt.kind === "none" && document.activeElement === box) box.closest("[tabindex='-1']")?.focus({ preventScroll: true });
    this.title.textContent = prompt.title ?? "";
    this.label.textContent = prompt.label ?? "";
    this.key.textContent = prompt.action ? printed(settings.keys.go).join(" ") : "";
    this.arc.getAnimations().forEach((animation) => animation.cancel());
    clearInterval(this.timer);
    this.time.textContent = "";
    if (prompt.kind !== "ring" || prompt.due == null) return;
    const duration = Math.max(1, prompt.due - prompt.since);
    const animation = this.arc.animate(
      { strokeDashoffset: [0, AROUND] },
      { duration, fill: "both" },
    );
    animation.currentTime = Math.min(duration, Math.max(0, this.clock.now() - prompt.since));
    this.#tick();
    if (isStopped) {
      animation.pause();
      return;
    }
    this.timer = setInterval(() => this.#tick(), 100);
  }

  #tick() {
    const left = Math.max(0, this.prompt.due - this.clock.now());
    // Whole numbers are counted, tenths only measured where there is no time to count.
    const long = this.prompt.due - this.prompt.since > 2500;
    const text = long ? String(Math.ceil(left / 1000)) : (left / 1000).toFixed(1);
    if (long && this.time.textContent && this.time.textContent !== text && this.prompt.tone === "go") this.onSecond();
    put(this.time, text);
    if (left === 0) clearInterval(this.timer);
  }

  /** Let the clock stand still. */
  destroy() {
    clearInterval(this.timer);
  }
}
