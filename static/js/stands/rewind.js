/** The bar under the board that goes back in what was seen, and to live again. The only writer of its DOM. */

import { put } from "../put.js";
import { SPEEDS } from "../replay/player.js";
import { WRITABLE, asByDefault } from "../site/keys.js";
import { countdown } from "../table/words.js";
import { format, gettext } from "../text.js";

/** By comma and dot, ms. */
const NUDGE = 100;
const PRESSABLE = "a[href], button, summary, select, label";

export class Rewind {
  /** @param {HTMLElement} root @param {import("./show.js").Show} show */
  constructor(root, show) {
    this.root = root;
    this.match = show;
    const part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.range = part("range");
    this.time = part("time");
    this.play = part("play");
    this.playWord = part("play-word");
    this.live = part("live");
    this.liveWord = part("live-word");
    part("step-back").addEventListener("click", () => this.step(-1));
    part("step").addEventListener("click", () => this.step(1));
    this.play.addEventListener("click", () => this.toggle());
    this.live.addEventListener("click", () => show.goLive());
    this.range.addEventListener("input", () => {
      show.player.pause();
      show.player.seek(Number(this.range.value));
    });
  }

  /** @param {1|-1} by */
  step(by) {
    const { match } = this;
    if (match.isLive && by < 0) match.hold();
    match.player.step(by);
  }

  /** Live: stop here. Else: play on from here, or stop. */
  toggle() {
    const { match } = this;
    if (match.isLive && !match.player.playing) match.hold();
    else if (!match.player.playing && match.player.index === match.past.length) match.goLive();
    else match.player.toggle(1);
    this.show();
  }

  show() {
    const { match } = this;
    const { past, player, isLive } = match;
    const { range } = this;
    range.min = String(Math.floor(past.start));
    range.max = String(Math.ceil(past.end));
    range.value = String(isLive ? range.max : player.ms);
    range.disabled = past.length === 0;
    const at = isLive ? past.end : player.ms;
    const share = past.end > past.start ? (at - past.start) / (past.end - past.start) : 1;
    range.style.setProperty("--share", `${share * 100}%`);
    put(this.time, countdown(at));
    range.setAttribute("aria-valuetext", isLive ? gettext("live") : format(gettext("%(time)s of the match"), { time: countdown(at) }));
    const runs = isLive || player.playing;
    const word = runs ? gettext("Pause") : gettext("Play");
    this.play.dataset.on = String(runs);
    this.play.title = word;
    put(this.playWord, word);
    this.root.dataset.live = String(isLive);
    this.live.setAttribute("aria-pressed", String(isLive));
    put(this.liveWord, isLive ? (match.isOver ? gettext("End") : gettext("Live")) : gettext("Back to live"));
  }

  /** The keys, as in a replay. (Those of every table are the sheet's, site/sheet.js.) */
  listenToKeys() {
    const { match } = this;
    const { player, past } = match;
    const back = (action) => () => {
      if (match.isLive) match.hold();
      action();
    };
    const plain = {
      Space: () => this.toggle(),
      k: () => this.toggle(),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      ",": back(() => player.nudge(-NUDGE)),
      ".": () => player.nudge(NUDGE),
      Home: back(() => player.home()),
      End: () => match.goLive(),
      PageUp: back(() => player.stepAmong(past.rounds, -1)),
      PageDown: () => player.stepAmong(past.rounds, 1),
    };
    SPEEDS.forEach((speed, at) => (plain[String(at + 1)] = () => player.setSpeed(speed)));
    const shifted = {
      ...plain,
      ArrowLeft: back(() => player.stepAmong(past.contests, -1)),
      ArrowRight: () => player.stepAmong(past.contests, 1),
    };
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      const target = /** @type {Element} */ (event.target);
      if (target.closest?.("dialog[open]") || target.closest?.(WRITABLE)) return;
      if ((event.key === " " || event.key === "Enter") && target.closest?.(PRESSABLE)) return;
      const meant = asByDefault("replay", event);
      const key = meant.replace(/^Shift\+/, "");
      const action = (meant.startsWith("Shift+") ? shifted : plain)[key];
      if (!action) return;
      if (event.repeat && !key.startsWith("Arrow") && key !== "," && key !== ".") return;
      event.preventDefault();
      action();
    });
  }
}
