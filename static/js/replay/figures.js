/**
 * The statistics beside the timeline, from the document alone: figures face to face, the pace over time, the rounds, the
 * plays that were overlooked. Whatever has a moment leads to it.
 */

import { format, gettext } from "../text.js";
import { faceBars, mirrorChart, shareBar } from "./charts.js";
import { shortSpan, shortTime } from "./moment.js";
import { toNodes } from "./words.js";

/** A reaction longer than this fills the chart's height, ms: nobody was looking. */
const SLOWEST = 3000;
/** The overlooked plays that are listed, the longest first. */
const LISTED = 6;

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

/**
 * @param {HTMLElement} root
 * @param {object} options
 * @param {any} options.statistics `statistics` of the document
 * @param {string[]} options.names
 * @param {import("./player.js").Player} options.player
 * @param {(place: string) => "left"|"right"} options.sideOf on which side of the clock a centre pile is drawn
 */
export function createFigures(root, { statistics, names, player, sideOf }) {
  /** @type {0|1} */
  let bottom = 0;
  /** The charts with a line of the present, and the step at which that is. @type {[{place: (step: number) => void}, () => number][]} */
  let charts = [];

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
    const heads = order.map((seat) => {
      return Object.assign(make("th", "", nameOf(seat)), { scope: "colgroup", colSpan: 2 });
    });
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
      const head = make("th", "figure-name", name(), faceBars(values, order));
      Object.assign(head, { scope: "row", colSpan: 2 });
      body.append(make("tr", "", cells[0], head, cells[1]));
    }
    table.append(body);
    return table;
  }

  /** A chart under a line of words. */
  function chartOf(title, note, chart, step) {
    charts.push([chart, step]);
    const caption = make("figcaption", "", make("span", "", title), make("span", "pace-peak", note));
    return make("figure", "pace", caption, chart.element);
  }

  function paceOverTime() {
    const { rate, bucket } = statistics;
    const steps = rate[0].length;
    if (steps < 2) return null;
    const onPress = (step) => {
      player.pause();
      player.seek(step * bucket);
    };
    const most = Math.round((Math.max(...rate[0], ...rate[1]) * 60_000) / bucket);
    const note = format(gettext("most: %(cards)s"), { cards: most });
    const chart = mirrorChart(rate, bottom, { onPress });
    return chartOf(gettext("Cards a minute over time"), note, chart, () => player.ms / bucket);
  }

  /** How long each took to the first card after each turn. */
  function reactions() {
    const { turns } = statistics;
    if (turns.length < 3) return null;
    const values = [0, 1].map((seat) => turns.map((turn) => turn.reactions[seat]));
    const onPress = (step) => goTo(turns[Math.min(turns.length - 1, Math.max(0, Math.floor(step)))].seq);
    const quickest = Math.min(...values.flat().filter((value) => value !== null));
    const note = Number.isFinite(quickest)
      ? format(gettext("quickest: %(time)s"), { time: shortSpan(quickest) })
      : "";
    const chart = mirrorChart(values, bottom, { onPress, most: SLOWEST, dots: true });
    const step = () => turns.findLastIndex((turn) => turn.seq <= player.index) + 1;
    return chartOf(gettext("Reaction after each turn"), note, chart, step);
  }

  /** Where the time of the match went. */
  function times() {
    const { duration, playing, stuck } = statistics;
    const parts = [
      { name: "playing", ms: playing, word: gettext("cards in play") },
      { name: "stuck", ms: stuck.ms, word: format(gettext("stuck, %(times)s×"), { times: stuck.times }) },
      { name: "rest", ms: Math.max(0, duration - playing - stuck.ms), word: gettext("between rounds") },
    ];
    const legend = parts.map(({ name, ms, word }) => {
      const item = make("li", "", make("i", `share-dot share-of-${name}`), `${word} `, make("b", "", shortTime(ms)));
      return item;
    });
    return make("div", "times", shareBar(parts), make("ul", "times-legend", ...legend));
  }

  /** A part of a row, coloured as a seat's. */
  function ofSeat(seat, tag, ...children) {
    const element = make(tag, "", ...children);
    element.dataset.seat = String(seat);
    return element;
  }

  /** How the round's piles were shared out. */
  function slapWords(round) {
    const slap = statistics.slaps.find((found) => found.at >= round.at && found.at <= (round.ended ?? Infinity));
    if (!slap) return [make("span", "dim", gettext("no slap"))];
    if (slap.seat === null) return [make("span", "dim", gettext("nobody slapped"))];
    const after = format(gettext("slapped, %(after)s"), { after: shortSpan(slap.after) });
    return [nameOf(slap.seat), " ", make("span", "dim", after)];
  }

  /** The two piles when they were shared out: how many cards lay in each, coloured as whose they became. */
  function slapSizes(round) {
    const slap = statistics.slaps.find((found) => found.at >= round.at && found.at <= (round.ended ?? Infinity));
    if (!slap || !(slap.took[0] + slap.took[1])) return [];
    const [left, right] = [1 - bottom, bottom];
    const ownerOf = (pile) => (slap.seat === null ? null : slap.pile === `centre.${pile}` ? slap.seat : 1 - slap.seat);
    const piles = [left, right].map((pile) => {
      const size = make("b", "", String(slap.sizes[pile]));
      const owner = ownerOf(pile);
      if (owner !== null) size.dataset.seat = String(owner);
      return size;
    });
    const box = make("span", "round-piles", ...piles);
    box.title = gettext("Cards in the piles, left and right");
    return [box];
  }

  function roundList() {
    const rows = statistics.rounds.map((round) => {
      const counts = [1 - bottom, bottom].map((seat) => ofSeat(seat, "b", String(round.cards[seat])));
      const row = link(
        round.seq,
        "round-row",
        make("span", "round-number", String(round.round)),
        make("span", "round-cards", ...counts),
        make("span", "round-slap", ...slapWords(round)),
        ...slapSizes(round),
        make("span", "round-time", shortTime((round.ended ?? statistics.duration) - round.at)),
      );
      return make("li", "", row);
    });
    return rows.length ? make("ol", "rounds-list", ...rows) : null;
  }

  function overlookedList() {
    const longest = [...statistics.overlooked].sort((one, other) => other.ms - one.ms).slice(0, LISTED);
    const rows = longest.map((play) => {
      const short = sideOf(play.to) === "left" ? gettext("%(card)s → left") : gettext("%(card)s → right");
      const row = link(
        play.seq,
        "overlooked-row",
        make("span", "moment-time", shortTime(play.at)),
        nameOf(play.seat),
        make("span", "", ...toNodes({ short, values: { card: play.card } })),
        make("b", "overlooked-ms", shortSpan(play.ms)),
      );
      return make("li", "", row);
    });
    return rows.length ? make("ol", "overlooked-list", ...rows) : null;
  }

  function section(title, content) {
    return content ? [make("h3", "", title), content] : [];
  }

  function write() {
    charts = [];
    const parts = [
      faceToFace(),
      times(),
      paceOverTime(),
      reactions(),
      ...section(gettext("Rounds"), roundList()),
      ...section(gettext("Longest overlooked"), overlookedList()),
    ];
    root.replaceChildren(...parts.filter(Boolean));
    place();
  }

  function place() {
    for (const [chart, step] of charts) chart.place(step());
  }

  player.listen(place);
  return {
    /** Swap the sides. @param {0|1} seat */
    setBottom(seat) {
      bottom = seat;
      write();
    },
  };
}
