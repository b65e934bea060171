/**
 * The statistics beside the timeline, from the document alone: figures face to face, the pace over time, the rounds, the
 * plays that were overlooked. Whatever has a moment leads to it.
 */

import { format, gettext } from "../text.js";
import { shortTime } from "./moment.js";
import { cardNode } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
/** The overlooked plays that are listed, the longest first. */
const LISTED = 6;

/** @param {number} ms a short time: "640 ms", "3.2 s" */
export const shortSpan = (ms) =>
  ms < 1000
    ? format(gettext("%(ms)s ms"), { ms })
    : format(gettext("%(seconds)s s"), { seconds: (ms / 1000).toFixed(ms < 10_000 ? 1 : 0) });

/** The figures of a seat, in the order in which they are shown; `less` when the smaller one is the better. */
const FIGURES = [
  { name: () => gettext("cards played"), of: (seat) => seat.played },
  { name: () => gettext("cards a minute"), of: (seat) => seat.per_minute, show: (value) => String(Math.round(value)) },
  { name: () => gettext("reaction"), of: (seat) => seat.reaction, show: shortSpan, less: true },
  { name: () => gettext("longest burst"), of: (seat) => seat.burst?.cards ?? 0 },
  { name: () => gettext("contests won"), of: (seat) => seat.contests_won },
  { name: () => gettext("first to slap"), of: (seat) => seat.slaps },
  { name: () => gettext("overlooked"), of: (seat) => seat.overlooked, less: true },
  { name: () => gettext("longest overlooked"), of: (seat) => seat.overlooked_ms || null, show: shortSpan, less: true },
];

function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * @param {HTMLElement} root
 * @param {object} options
 * @param {any} options.statistics `statistics` of the document
 * @param {string[]} options.names
 * @param {import("./player.js").Player} options.player
 * @param {(place: string) => string} options.pileName
 */
export function createFigures(root, { statistics, names, player, pileName }) {
  /** @type {0|1} */
  let bottom = 0;
  let now = null;

  const goTo = (seq) => {
    player.pause();
    player.seekIndex(seq);
  };

  /** A word that leads to a moment. */
  function link(seq, className, ...children) {
    const button = make("button", className, ...children);
    button.type = "button";
    button.addEventListener("click", () => goTo(seq));
    return button;
  }

  function nameOf(seat) {
    const name = make("span", "seat-name", names[seat]);
    name.dataset.seat = String(seat);
    return name;
  }

  function faceToFace() {
    const order = [1 - bottom, bottom];
    const table = make("table", "figures-table");
    table.append(make("caption", "visually-hidden", gettext("Figures of both players")));
    const heads = order.map((seat) => Object.assign(make("th", "", nameOf(seat)), { scope: "colgroup", colSpan: 2 }));
    table.append(make("colgroup", "", ...["", "wide", "wide", ""].map((width) => make("col", width))));
    table.append(make("thead", "", make("tr", "", ...heads)));
    const body = make("tbody");
    for (const { name, of, show = String, less = false } of FIGURES) {
      const values = order.map((seat) => of(statistics.seats[seat]));
      if (values.every((value) => value === null)) continue;
      const cells = values.map((value, at) => {
        const cell = make("td", "figure", value === null ? "–" : show(value));
        cell.dataset.seat = String(order[at]);
        const other = values[1 - at];
        // What is written the same is the same.
        const same = value === null || (other !== null && show(value) === show(other));
        const leads = !same && (other === null ? !less : less ? value < other : value > other);
        cell.dataset.leads = String(leads);
        return cell;
      });
      const head = make("th", "figure-name", name(), bars(values, order));
      Object.assign(head, { scope: "row", colSpan: 2 });
      body.append(make("tr", "", cells[0], head, cells[1]));
    }
    table.append(body);
    return table;
  }

  /** The two values as one line that grows from its middle to either side. */
  function bars(values, order) {
    const most = Math.max(...values.map((value) => value ?? 0)) || 1;
    const svg = draw("svg", { class: "figure-bars", viewBox: "0 0 200 4", preserveAspectRatio: "none", "aria-hidden": "true" });
    values.forEach((value, at) => {
      const width = ((value ?? 0) / most) * 98;
      const ground = draw("rect", { class: "figure-ground", x: at ? 102 : 0, y: 0, width: 98, height: 4 });
      const bar = draw("rect", { class: "figure-bar", x: at ? 102 : 98 - width, y: 0, width, height: 4 });
      bar.dataset.seat = String(order[at]);
      svg.append(ground, bar);
    });
    return svg;
  }

  /** Cards a minute over time: the seat above grows upwards, the one below downwards. */
  function paceChart() {
    const { rate, bucket } = statistics;
    const steps = rate[0].length;
    if (steps < 2) return null;
    const perMinute = 60_000 / bucket;
    const most = Math.max(1, ...rate[0], ...rate[1]);
    const width = steps * 10;
    const svg = draw("svg", { class: "pace-bars", viewBox: `0 -50 ${width} 100`, preserveAspectRatio: "none", "aria-hidden": "true" });
    for (const seat of [0, 1]) {
      for (const [at, cards] of rate[seat].entries()) {
        if (!cards) continue;
        const height = (cards / most) * 47;
        const bar = draw("rect", { x: at * 10 + 1, width: 8, y: seat === bottom ? 1 : -1 - height, height });
        bar.dataset.seat = String(seat);
        svg.append(bar);
      }
    }
    svg.append(draw("line", { class: "pace-zero", x1: 0, x2: width, y1: 0, y2: 0 }));
    now = draw("line", { class: "pace-now", x1: 0, x2: 0, y1: -50, y2: 50 });
    svg.append(now);
    const span = steps * bucket;
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      player.pause();
      player.seek(((event.clientX - box.left) / box.width) * span);
    });
    const peak = format(gettext("most: %(cards)s a minute"), { cards: Math.round(most * perMinute) });
    const figure = make("figure", "pace", make("figcaption", "", make("span", "", gettext("Cards a minute over time")), make("span", "pace-peak", peak)), svg);
    return figure;
  }

  function roundList() {
    const list = make("ol", "rounds-list");
    for (const round of statistics.rounds) {
      const slap = statistics.slaps.find((found) => found.at >= round.at && found.at <= (round.ended ?? Infinity));
      const counts = make("span", "round-cards");
      counts.append(...[1 - bottom, bottom].map((seat) => {
        const count = make("b", "", String(round.cards[seat]));
        count.dataset.seat = String(seat);
        return count;
      }));
      const what = make("span", "round-slap");
      if (!slap) what.append(make("span", "dim", gettext("no slap")));
      else if (slap.seat === null) what.append(make("span", "dim", gettext("nobody slapped")));
      else what.append(nameOf(slap.seat), " ", make("span", "dim", format(gettext("slapped, %(after)s"), { after: shortSpan(slap.after) })));
      const length = make("span", "round-time", shortTime((round.ended ?? statistics.duration) - round.at));
      list.append(make("li", "", link(round.seq, "round-row", make("span", "round-number", String(round.round)), counts, what, length)));
    }
    return list;
  }

  function overlookedList() {
    const longest = [...statistics.overlooked].sort((one, other) => other.ms - one.ms).slice(0, LISTED);
    if (!longest.length) return null;
    const list = make("ol", "overlooked-list");
    for (const play of longest) {
      const what = make("span", "", cardNode(play.card), ` → ${pileName(play.to)}`);
      list.append(make("li", "", link(play.seq, "overlooked-row", make("span", "moment-time", shortTime(play.at)), nameOf(play.seat), what, make("b", "overlooked-ms", shortSpan(play.ms)))));
    }
    return list;
  }

  function section(title, content) {
    return content ? [make("h3", "", title), content] : [];
  }

  function write() {
    root.replaceChildren(
      faceToFace(),
      ...[paceChart()].filter(Boolean),
      ...section(gettext("Rounds"), statistics.rounds.length ? roundList() : null),
      ...section(gettext("Longest overlooked"), overlookedList()),
    );
    place();
  }

  function place() {
    if (!now) return;
    const x = (player.ms / statistics.bucket) * 10;
    now.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
  }

  const deaf = player.listen(place);
  return {
    /** Swap the sides. @param {0|1} seat */
    setBottom(seat) {
      bottom = seat;
      write();
    },
    destroy() {
      deaf();
      root.replaceChildren();
    },
  };
}
