/**
 * The list of moments: every event in words, the current one marked and kept in view. Only the rows in sight exist, so
 * 5,000 events cost what 30 do. To the keyboard and to readers it is a list box of which one option is chosen.
 */

import { format, gettext } from "../text.js";
import { exactTime } from "./moment.js";
import { toNodes, toText } from "./words.js";

/** More rows on either side of those in sight. */
const SPARE = 2;

/**
 * @param {HTMLElement} root an empty element that scrolls; the list fills it
 * @param {object} options
 * @param {import("./player.js").Player} options.player
 * @param {(index: number) => import("./words.js").Words} options.wordsOf an event in words
 * @param {(seat: number|null) => string|null} options.nameOf
 */
export function createMoments(root, { player, wordsOf, nameOf }) {
  const { track } = player;
  root.classList.add("moments");
  Object.assign(root, { tabIndex: 0, role: "listbox", ariaLabel: gettext("Moments") });
  const sheet = document.createElement("div");
  sheet.className = "moments-sheet";
  sheet.setAttribute("role", "presentation");
  root.append(sheet);
  /** @type {Map<number, HTMLElement>} by index */
  const rows = new Map();
  /** @type {HTMLElement[]} */
  const spare = [];
  let rowHeight = 36;
  let current = -1;
  let frame = 0;
  let scrolling = 0;
  // Where the list stands and how high it is: asked of the browser, each would have it work out the layout.
  let top = 0;
  let height = 0;

  function createRow() {
    const row = document.createElement("div");
    row.className = "moment";
    row.setAttribute("role", "option");
    for (const className of ["moment-time", "moment-name", "moment-words"]) {
      const part = document.createElement("span");
      part.className = className;
      row.append(part);
    }
    return row;
  }

  function fill(row, index) {
    const words = wordsOf(index);
    const name = nameOf(words.seat);
    const [time, who, what] = row.children;
    row.id = `moment-${index}`;
    row.dataset.index = String(index);
    row.dataset.tone = words.tone;
    row.dataset.kind = track.event(index).kind;
    row.setAttribute("aria-posinset", String(index));
    row.setAttribute("aria-setsize", String(track.length));
    row.style.transform = `translateY(${(index - 1) * rowHeight}px)`;
    time.textContent = exactTime(track.times[index]);
    who.textContent = name ?? "";
    who.hidden = name === null;
    who.dataset.seat = String(words.seat);
    what.replaceChildren(...toNodes(words));
    row.ariaLabel = format(gettext("%(time)s %(words)s"), {
      time: exactTime(track.times[index]),
      words: toText(words, name),
    });
    row.title = row.ariaLabel;
    mark(row, index);
  }

  function mark(row, index) {
    row.setAttribute("aria-selected", String(index === current));
    row.dataset.past = String(index <= current);
  }

  /** Make the rows in sight, and only them. */
  function lay() {
    const first = Math.max(1, Math.floor(top / rowHeight) + 1 - SPARE);
    const last = Math.min(track.length, Math.ceil((top + height) / rowHeight) + SPARE);
    const free = [];
    for (const [index, row] of rows) {
      // The chosen row stays, for it is what the list's active descendant names.
      if ((index >= first && index <= last) || index === current) continue;
      rows.delete(index);
      free.push(row);
    }
    const needed = [];
    for (let index = first; index <= last; index += 1) if (!rows.has(index)) needed.push(index);
    if (current > 0 && !rows.has(current) && !needed.includes(current)) needed.push(current);
    for (const index of needed) {
      // A row that stays in the document and gets other words costs less than one that is put into it.
      const row = free.pop() ?? sheet.appendChild(spare.pop() ?? createRow());
      rows.set(index, row);
      fill(row, index);
    }
    for (const row of free) {
      row.remove();
      spare.push(row);
    }
  }

  function show() {
    if (current === player.index) return;
    const before = current;
    current = player.index;
    keepInView();
    lay();
    const [low, high] = before < current ? [before, current] : [current, before];
    for (const [index, row] of rows) if (index >= low && index <= high) mark(row, index);
    if (current > 0) root.setAttribute("aria-activedescendant", `moment-${current}`);
    else root.removeAttribute("aria-activedescendant");
  }

  /** A third of the list lies before the current moment, so that one sees where it came from. */
  function keepInView() {
    const row = (current - 1) * rowHeight;
    if (row >= top + rowHeight && row + 2 * rowHeight <= top + height) return;
    const most = Math.max(0, track.length * rowHeight - height);
    top = Math.min(Math.max(0, Math.round(row - height / 3)), most);
    scrolling ||= requestAnimationFrame(() => {
      scrolling = 0;
      root.scrollTop = top;
    });
  }

  function measure() {
    const tall = Number.parseFloat(getComputedStyle(root).getPropertyValue("--row")) || rowHeight;
    height = root.clientHeight;
    sheet.style.height = `${track.length * tall}px`;
    if (tall !== rowHeight) {
      rowHeight = tall;
      for (const [index, row] of rows) fill(row, index);
    }
    keepInView();
    lay();
  }

  root.addEventListener("scroll", () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      if (!scrolling) top = root.scrollTop;
      lay();
    });
  });
  root.addEventListener("click", (event) => {
    const index = Number(event.target.closest("[data-index]")?.dataset.index);
    if (!index) return;
    player.pause();
    player.seekIndex(index);
  });
  root.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    player.step(by);
  });

  new ResizeObserver(measure).observe(root);
  player.listen(show);

  return {
    show,
    /** Write the rows again: names of piles changed sides. */
    rewrite() {
      for (const [index, row] of rows) fill(row, index);
    },
  };
}
