/**
 * The timeline: rounds above, a lane for each seat, the playhead. A slider to the keyboard and to readers, and to the
 * pointer a thing to drag, to hover over and to zoom.
 *
 * A seek moves two elements by a transform and paints nothing, so its cost does not depend on the length of the match.
 */

import { format, gettext } from "../text.js";
import { exactTime } from "./moment.js";
import { paintLanes } from "./paint.js";
import { createPart } from "./part.js";
import { Scale } from "./scale.js";

/** Once in how many ms the slider's value is told while the replay plays. */
const TELL_EVERY = 1000;
/** The px of the small table under the pointer (timeline.css). */
const TIP_WIDTH = 190;

const pageScrolls = () => document.documentElement.scrollHeight > window.innerHeight + 1;

/**
 * @param {HTMLElement} root an empty element; the timeline fills it
 * @param {object} options
 * @param {import("./outline.js").Outline} options.outline
 * @param {import("./player.js").Player} options.player
 * @param {(ms: number) => Node[]} options.preview what to show of a moment under the pointer
 * @param {() => string} options.say the moment shown, in words
 */
export function createTimeline(root, { outline, player, preview, say }) {
  const scale = new Scale(outline.end);
  /** @type {0|1} */
  let bottom = 0;
  let dirty = 0;
  let told = 0;

  const make = (className, parent, tag = "div") => {
    const element = document.createElement(tag);
    element.className = className;
    parent.append(element);
    return element;
  };
  root.classList.add("timeline");
  const rounds = make("timeline-rounds", root);
  const lanes = make("timeline-lanes", root);
  const sheet = make("timeline-sheet", lanes);
  const canvas = make("timeline-canvas", sheet, "canvas");
  const ahead = make("timeline-ahead", sheet);
  const part = createPart(lanes, { player, scale, xOf: (event) => xOf(event) });
  const cursor = make("timeline-cursor", lanes);
  const playhead = make("timeline-playhead", lanes);
  const tip = make("timeline-tip", root);
  const tipTime = make("timeline-tip-time", tip, "b");
  const tipView = make("timeline-tip-view", tip, "span");
  const overview = make("timeline-overview", root);
  const thumb = make("timeline-thumb", overview);
  const paper = canvas.getContext("2d");
  canvas.setAttribute("aria-hidden", "true");
  tip.setAttribute("aria-hidden", "true");
  overview.setAttribute("aria-hidden", "true");
  tip.hidden = cursor.hidden = true;
  Object.assign(lanes, { tabIndex: 0, role: "slider", ariaLabel: gettext("Time"), ariaValueMin: "0" });
  lanes.ariaValueMax = String(outline.end);
  lanes.ariaOrientation = "horizontal";

  const roundButtons = outline.rounds.map(({ round, from, to, index }) => {
    const button = make("timeline-round", rounds, "button");
    button.type = "button";
    button.tabIndex = -1;
    const label = format(gettext("Round %(round)s"), { round });
    button.title = label;
    const text = make("timeline-round-name", button, "span");
    text.dataset.round = String(round);
    text.textContent = label;
    button.addEventListener("click", () => player.seekIndex(index));
    return { button, from, to };
  });

  /** Paint again before the next frame. */
  function refresh() {
    dirty ||= requestAnimationFrame(() => {
      dirty = 0;
      paint();
    });
  }

  function paint() {
    const { width, height } = lanes.getBoundingClientRect();
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    scale.width = width;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    paper.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintLanes(paper, { width, height }, outline, scale, { inks: inksOf(lanes), bottom });
    for (const { button, from, to } of roundButtons) {
      const left = from <= scale.from ? 0 : scale.x(from);
      const right = to >= scale.to ? width : scale.x(to);
      button.hidden = right - left < 1;
      button.style.insetInlineStart = `${left}px`;
      button.style.width = `${Math.max(1, right - left - (right < width ? 2 : 0))}px`;
      button.dataset.room = right - left > 84 ? "wide" : right - left > 22 ? "number" : "none";
    }
    overview.hidden = scale.isWhole;
    thumb.style.insetInlineStart = `${(scale.from / scale.end) * 100}%`;
    thumb.style.width = `${(scale.span / scale.end) * 100}%`;
    root.dataset.zoomed = String(!scale.isWhole);
    part.place();
    place();
  }

  /** Put the playhead where the player is. */
  function place() {
    const x = scale.x(player.ms);
    playhead.style.transform = `translateX(${x}px)`;
    playhead.hidden = player.ms < scale.from || player.ms > scale.to;
    const seen = Math.min(Math.max(x, 0), scale.width);
    ahead.style.transform = `translateX(${seen}px)`;
  }

  function show() {
    if (!drag && scale.follow(player.ms)) refresh();
    place();
    part.show();
    const now = performance.now();
    if (player.playing && now - told < TELL_EVERY) return;
    told = now;
    lanes.ariaValueNow = String(Math.floor(player.ms));
    lanes.ariaValueText = say();
  }

  // The pointer: press and drag to seek, two fingers to zoom.

  /** @type {Map<number, number>} the pointers that are down, with their x */
  const pointers = new Map();
  /** @type {{resume: 0|1|-1, pinch: number}|null} */
  let drag = null;
  let wanted = null;
  let seeking = 0;

  const xOf = (event) => event.clientX - lanes.getBoundingClientRect().left;

  function seekSoon(x) {
    wanted = x;
    seeking ||= requestAnimationFrame(() => {
      seeking = 0;
      if (wanted !== null) player.seek(Math.round(scale.ms(wanted)));
      wanted = null;
    });
  }

  const gapOf = () => {
    const [one, other] = [...pointers.values()];
    return Math.max(24, Math.abs(one - other));
  };

  lanes.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || part.takes(event)) return;
    lanes.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, xOf(event));
    if (!drag) {
      drag = { resume: player.playing ? player.direction : 0, pinch: 0 };
      player.pause();
      root.dataset.dragging = "true";
    }
    if (pointers.size === 2) drag.pinch = gapOf();
    else seekSoon(xOf(event));
  });

  lanes.addEventListener("pointermove", (event) => {
    const x = xOf(event);
    hover(event, x);
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, x);
    if (pointers.size === 1 && !drag.pinch) seekSoon(x);
    else if (pointers.size === 2) {
      const gap = gapOf();
      const [one, other] = [...pointers.values()];
      scale.zoom(gap / drag.pinch, scale.ms((one + other) / 2));
      drag.pinch = gap;
      refresh();
    }
  });

  const release = (event) => {
    if (!pointers.delete(event.pointerId) || pointers.size) return;
    // The last place asked for counts, even if no frame has come since.
    cancelAnimationFrame(seeking);
    seeking = 0;
    if (wanted !== null) player.seek(Math.round(scale.ms(wanted)));
    wanted = null;
    const { resume } = drag;
    drag = null;
    delete root.dataset.dragging;
    if (event.pointerType !== "mouse") unhover();
    if (resume) player.play(resume);
  };
  lanes.addEventListener("pointerup", release);
  lanes.addEventListener("pointercancel", release);
  lanes.addEventListener("pointerleave", () => {
    if (!drag) unhover();
  });

  lanes.addEventListener(
    "wheel",
    (event) => {
      // A wheel that could move the page moves it, unless Ctrl is held (as a pinch on a touchpad says it is).
      const zooms = event.ctrlKey || event.metaKey || (!event.shiftKey && !event.deltaX && !pageScrolls());
      if (zooms) {
        event.preventDefault();
        const by = event.deltaMode ? event.deltaY * 30 : event.deltaY;
        scale.zoom(Math.exp(-Math.max(-120, Math.min(120, by)) / (event.ctrlKey ? 180 : 400)), scale.ms(xOf(event)));
        refresh();
      } else if (!scale.isWhole && (event.deltaX || event.shiftKey)) {
        event.preventDefault();
        scale.pan(event.deltaX || event.deltaY);
        refresh();
      }
    },
    { passive: false },
  );

  function hover(event, x) {
    const inside = Math.min(Math.max(x, 0), scale.width);
    const ms = scale.ms(inside);
    tip.hidden = cursor.hidden = false;
    tipTime.textContent = exactTime(ms);
    // Whoever drags sees the moment on the board itself.
    tipView.replaceChildren(...(drag ? [] : preview(ms)));
    cursor.style.transform = `translateX(${inside}px)`;
    // As wide as any table is: to ask the browser would have it lay out the page at each move of the pointer.
    const half = TIP_WIDTH / 2;
    tip.style.transform = `translateX(${Math.min(Math.max(inside - half, 0), Math.max(0, scale.width - 2 * half))}px)`;
  }

  function unhover() {
    tip.hidden = cursor.hidden = true;
  }

  overview.addEventListener("pointerdown", (event) => {
    overview.setPointerCapture(event.pointerId);
    const box = overview.getBoundingClientRect();
    const to = (at) => {
      scale.show(((at.clientX - box.left) / box.width) * scale.end - scale.span / 2, scale.span);
      refresh();
    };
    to(event);
    overview.addEventListener("pointermove", to);
    const release = () => overview.removeEventListener("pointermove", to);
    overview.addEventListener("lostpointercapture", release, { once: true });
  });

  new ResizeObserver(refresh).observe(lanes);
  new MutationObserver(refresh).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class", "style"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  player.listen(show);

  return {
    /** Draw that seat's lane below. @param {0|1} seat */
    setBottom(seat) {
      bottom = seat;
      refresh();
      show();
    },
    /** Zoom about the playhead. @param {number} factor */
    zoom(factor) {
      scale.zoom(factor, player.ms);
      refresh();
    },
    /** The words of the moment changed, not the moment. */
    show,
  };
}

/**
 * The colours in force. Asked of an element that wears them, so that whatever CSS a colour is written in is worked out.
 * @param {HTMLElement} element
 * @returns {import("./paint.js").Inks}
 */
function inksOf(element) {
  const probe = document.createElement("i");
  probe.hidden = true;
  element.append(probe);
  const style = getComputedStyle(probe);
  const ink = (name) => {
    probe.style.color = `var(${name})`;
    return style.color;
  };
  const inks = {
    seats: [ink("--seat-0"), ink("--seat-1")],
    lane: ink("--surface-2"),
    line: ink("--line"),
    dim: ink("--text-dim"),
    text: ink("--text"),
    bad: ink("--danger"),
    go: ink("--accent"),
    ground: ink("--bg"),
  };
  probe.remove();
  return inks;
}
