/** The page of somebody who watches a match. */

import { put } from "../put.js";
import { After } from "../table/after.js";
import { Announcer } from "../table/announcer.js";
import { Bar } from "../table/bar.js";
import { commentOn } from "../table/commentary.js";
import { Panel } from "../table/panel.js";
import { settings } from "../table/settings.js";
import { Sounds } from "../table/sounds.js";
import { Title } from "../table/title.js";
import { lineText } from "../table/words.js";
import { format, gettext, ngettext } from "../text.js";
import { Chat } from "./chat.js";
import { Rewind } from "./rewind.js";
import { Show } from "./show.js";

const data = JSON.parse(document.getElementById("table-data").textContent);
const stands = JSON.parse(document.getElementById("stands-data").textContent);
const page = document.getElementById("stands");
const root = document.getElementById("table");
const boardRoot = document.getElementById("board");
const banner = document.getElementById("table-banner");
const side = document.getElementById("stands-side");
const part = (name) => document.querySelector(`[data-part="${name}"]`);

const sounds = new Sounds(
  () => settings.sound,
  () => settings.volume,
);
const announcer = new Announcer(root);
const title = new Title(data.names);
const bar = new Bar(document.getElementById("table-bar"));
const panel = new Panel(document.getElementById("table-panel"), {
  replay: data.replay,
  home: data.home,
  report: data.report,
  share: location.href,
  rematch: () => {},
});

const show = new Show(boardRoot, data.socket, {
  onChange: draw,
  onEvents: tell,
  onChat: (message) => chat?.take(message),
  onOpen: () => chat?.listen(),
});
const after = new After(data.after, show.session);
const rewind = new Rewind(part("rewind"), show);
const chat = stands.hasChat
  ? new Chat(part("chat"), { send: (message) => show.socket.send(message), post, onLine: noteNews }, stands)
  : null;

/** Send a form to the site. @param {string} url @param {Record<string, string>} [fields] */
function post(url, fields = {}) {
  const token = document.querySelector("#stands-token input").value;
  return fetch(url, { method: "POST", headers: { "X-CSRFToken": token }, body: new URLSearchParams(fields) });
}

function draw() {
  const { session } = show;
  root.dataset.line = session.line;
  root.dataset.sync = String(session.isSynced);
  bar.show(session);
  title.show(session);
  after.look();
  if (show.isLive) panel.show(session);
  document.getElementById("table-panel").classList.toggle("is-away", !show.isLive);
  rewind.show();
  showBanner();
  showWatchers();
}

/** @param {import("../table/reducer.js").TableEvent[]} events */
function tell(events) {
  const said = [];
  for (const event of events) {
    const { sound, say, mention, note } = commentOn(event, show.session, show.board);
    if (sound) sounds.make(sound);
    if (say) said.push(say);
    if (mention) announcer.mention(mention);
    if (note) show.board.say(note.place, note.text, note.tone);
  }
  if (said.length) announcer.say(said.join(". "));
}

function showBanner() {
  const text = lineText(show.session);
  banner.hidden = !text;
  if (text) put(banner, text);
}

let watchersShown = "";

function showWatchers() {
  const { watchers = 0, named = [] } = show.session.presence;
  const key = JSON.stringify([watchers, named]);
  if (key === watchersShown || !show.session.view) return;
  watchersShown = key;
  part("count").textContent = format(ngettext("%(count)s watching", "%(count)s watching", watchers), { count: watchers });
  const others = watchers - named.length;
  const more = named.length ? ngettext("and %(count)s more", "and %(count)s more", others) : ngettext("%(count)s without a name", "%(count)s without a name", others);
  const names = named.map((name) => Object.assign(document.createElement("span"), { className: "stands-name", dir: "auto", textContent: name }));
  const rest = Object.assign(document.createElement("span"), { className: "dim", textContent: format(more, { count: others }) });
  part("names").replaceChildren(...names.flatMap((name) => [name, " "]), ...(others > 0 ? [rest] : []));
}

// The side: on a wide page it is always there.

function openSide(isOpen) {
  page.dataset.side = isOpen ? "open" : "closed";
  part("side").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) part("news").hidden = true;
}

function noteNews() {
  if (page.dataset.side === "closed" && getComputedStyle(part("side")).display !== "none") part("news").hidden = false;
}

part("side").addEventListener("click", () => openSide(page.dataset.side !== "open"));
part("close-side").addEventListener("click", () => {
  openSide(false);
  part("side").focus();
});
side.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && page.dataset.side === "open") part("close-side").click();
});
part("named")?.addEventListener("change", async (event) => {
  const answer = await post(stands.choose, { is_named: event.target.checked ? "1" : "0" }).catch(() => null);
  if (!answer?.ok) event.target.checked = !event.target.checked;
  // Who somebody is, is told when the line is opened.
  else location.reload();
});

// The bar and the sheet

function showSettings() {
  part("sound").setAttribute("aria-pressed", String(settings.sound));
}

settings.addEventListener("change", showSettings);
part("sound").addEventListener("click", () => settings.setSound(!settings.sound));
part("share").addEventListener("click", () => document.getElementById("table-share").showModal());
part("turn").addEventListener("click", () => show.flip());
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy));
    field.select();
    const done = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
    button.lastElementChild.textContent = done || document.execCommand("copy") ? gettext("Copied") : gettext("Press Ctrl C");
  });
}

rewind.listenToKeys();
showSettings();
show.start();
show.session.expectSoon();
