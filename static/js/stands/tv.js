/** The television: one match in front, really live, and all the others in small. */

import { socketUrl } from "../net/address.js";
import { LiveSocket } from "../net/socket.js";
import { put } from "../put.js";
import { endText, lineWord } from "../table/words.js";
import { format, gettext } from "../text.js";
import { Show } from "./show.js";
import { Thumbnail } from "./thumbnail.js";

/** How long the end of a match is looked at before the next one comes up, ms. */
const AFTER_END = 8000;

/** @type {{socket: string, match: string, game: string|null, site: string}} */
const data = JSON.parse(document.getElementById("tv-data").textContent);
const root = document.getElementById("tv");
const part = (name) => root.querySelector(`[data-part="${name}"]`);

/** What there is, the strongest first. @type {import("./thumbnail.js").Channel[]} */
let channels = [];
/** @type {Map<string, Thumbnail>} */
const thumbnails = new Map();
/** @type {Map<string, import("./thumbnail.js").Glance>} */
const glances = new Map();
/** The match in front. @type {import("./thumbnail.js").Channel|null} */
let front = null;
/** @type {Show|null} */
let show = null;
let nextAt = 0;
let timer = 0;
/** Whether the programme has come. */
let isKnown = false;

const line = new LiveSocket(socketUrl(data.socket), {
  onMessage(message) {
    if (message.t === "programme") takeProgramme(message.channels);
    else if (message.t === "thumbnails") takeThumbnails(message.of);
  },
  onLine: () => {},
});

/** @param {import("./thumbnail.js").Channel[]} all */
function takeProgramme(all) {
  isKnown = true;
  channels = data.game ? all.filter(({ game }) => game === data.game) : all;
  const slugs = new Set(channels.map(({ slug }) => slug));
  for (const slug of [...thumbnails.keys()]) if (!slugs.has(slug)) thumbnails.delete(slug);
  for (const slug of [...glances.keys()]) if (!slugs.has(slug)) glances.delete(slug);
  for (const channel of channels) if (!thumbnails.has(channel.slug)) thumbnails.set(channel.slug, new Thumbnail(channel, choose));
  if (!front || (isGone() && !stays())) choose(channels[0]?.slug ?? null);
  arrange();
}

/** @param {Record<string, import("./thumbnail.js").Glance>} changed */
function takeThumbnails(changed) {
  for (const [slug, glance] of Object.entries(changed)) {
    glances.set(slug, glance);
    thumbnails.get(slug)?.show(glance);
  }
}

/** Whether the match in front has left the programme without an end that was seen here. */
const isGone = () => Boolean(front && !show?.isOver && !show?.session.view && !channels.some(({ slug }) => slug === front.slug));
const stays = () => part("stay").checked;

/** All but the one in front, in the order of the programme; elements that stay keep their place in the page. */
function arrange() {
  const grid = part("grid");
  const others = channels.filter(({ slug }) => slug !== front?.slug).map(({ slug }) => thumbnails.get(slug).element);
  const focused = grid.contains(document.activeElement) ? document.activeElement : null;
  others.forEach((element, at) => grid.children[at] !== element && grid.insertBefore(element, grid.children[at] ?? null));
  while (grid.children.length > others.length) grid.lastElementChild.remove();
  focused?.focus({ preventScroll: true });
  part("alone").hidden = others.length > 0;
  root.dataset.state = front ? "on" : isKnown ? "empty" : root.dataset.state;
}

/** Bring a match to the front. @param {string|null} slug */
function choose(slug) {
  clearTimeout(timer);
  timer = 0;
  part("next").hidden = true;
  put(part("said"), "");
  const channel = channels.find((each) => each.slug === slug) ?? null;
  if (channel && channel.slug === front?.slug) return;
  const before = show;
  show = null;
  before?.close();
  front = channel;
  arrange();
  if (!channel) {
    document.title = `${gettext("Live")} · ${data.site}`;
    return;
  }
  const felt = part("board");
  const box = document.createElement("div");
  box.className = "tv-table";
  felt.replaceChildren(box);
  part("facts").textContent = channel.delay
    ? `${channel.facts} · ${format(gettext("%(seconds)s s later"), { seconds: channel.delay })}`
    : channel.facts;
  part("open").href = channel.url;
  document.title = `${channel.seats.map(({ name }) => name).join(" – ")} · ${data.site}`;
  show = new Show(box, `${data.match}${channel.slug}/`, { onChange: look });
  show.start();
}

/** @param {Show} shown */
function look(shown) {
  if (shown !== show) return;
  const { session } = shown;
  const isOver = shown.isOver && session.line === "open";
  root.dataset.line = isOver ? "over" : session.line;
  part("line").textContent = isOver ? gettext("over") : lineWord(session.line);
  if (shown.isOver && !timer) {
    nextAt = Date.now() + AFTER_END;
    countDown();
  }
}

/** Say how the match ended, and when the next one comes. */
function countDown() {
  const { match, past } = { match: show.session.match, past: show.past };
  const { title } = endText(match, past.last.status, null);
  const next = channels.find(({ slug }) => slug !== front.slug);
  const left = Math.max(0, Math.ceil((nextAt - Date.now()) / 1000));
  part("next").hidden = false;
  part("next").textContent = stays()
    ? title
    : next
      ? format(gettext("%(title)s. The next match in %(left)s s"), { title, left })
      : format(gettext("%(title)s. There is no other match at the moment."), { title });
  const said = stays() ? title : next ? format(gettext("%(title)s. The next match follows."), { title }) : part("next").textContent;
  put(part("said"), said);
  if (left === 0 && !stays() && next) {
    choose(next.slug);
    return;
  }
  timer = setTimeout(countDown, 500);
}

part("stay").addEventListener("change", () => {
  if (timer) nextAt = Math.max(nextAt, Date.now() + 1000);
});

line.start();
