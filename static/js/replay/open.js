/** The page on which a replay file is opened: reads it, has it judged, and shows it. */

import { dayAndTime } from "../site/times.js";
import { format, gettext } from "../text.js";
import { BadDocument, parseDocument } from "./document.js";
import { takeDropped } from "./dropped.js";
import { apply } from "../table/reducer.js";
import { showReplay } from "./page.js";

/** What the games are called, by their keys. @type {Record<string, string>} */
const games = JSON.parse(document.getElementById("replay-games").textContent);
const root = document.getElementById("replay");
const part = (name) => root.querySelector(`[data-part="${name}"]`);

part("file").addEventListener("change", () => {
  const [file] = part("file").files;
  if (file) open(file);
});
for (const type of ["dragenter", "dragover"]) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    root.classList.add("is-dropping");
  });
}
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) root.classList.remove("is-dropping");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  root.classList.remove("is-dropping");
  const [file] = event.dataTransfer.files;
  if (file) open(file);
});

takeDropped().then((file) => {
  if (file) open(file);
});

/** One at a time, and one for a page: `data-state` is `empty`, `judging` while the server looks at it, and `ready`. @param {File} file */
async function open(file) {
  if (root.dataset.state !== "empty") return;
  root.dataset.state = "judging";
  part("error").textContent = "";
  part("judging").textContent = format(gettext("%(file)s is being judged. That can take some seconds."), { file: file.name });
  try {
    if (file.size > Number(root.dataset.mostBytes)) {
      throw new BadDocument("damaged", gettext("This file is too large to be a replay."));
    }
    const replay = parseDocument(await file.text());
    const judged = await judge(file);
    // Shown are the figures that were worked out here; what the file says of itself nobody has to believe.
    const statistics = judged.statistics?.seats?.length ? judged.statistics : undefined;
    root.dataset.state = "ready";
    const { seek } = showReplay(root, { ...asFarAsItGoes(replay), statistics });
    name(replay);
    tell(judged, seek);
    // What had the focus is gone.
    part("title").tabIndex = -1;
    part("title").focus({ preventScroll: true });
  } catch (error) {
    root.dataset.state = "empty";
    part("error").textContent =
      error instanceof BadDocument ? error.message : gettext("The replay could not be shown.");
    if (!(error instanceof BadDocument)) throw error;
  } finally {
    part("judging").textContent = "";
    // The same file, changed meanwhile, can be chosen again.
    part("file").value = "";
  }
}

/** The replay up to the first event that cannot be made, as one that takes a card from where none is. */
function asFarAsItGoes(replay) {
  const { places, start, events } = replay;
  let view = { seq: 0, at: 0, places: Object.fromEntries(places.map((name) => [name, start[name] ?? []])), status: {} };
  try {
    for (const event of events) view = apply(view, event);
  } catch {
    return { ...replay, events: events.slice(0, view.seq) };
  }
  return replay;
}

/** What the server's judge says; a refusal has a `sentence`. @param {File} file */
async function judge(file) {
  const body = new FormData(part("file").form);
  body.set("document", file);
  try {
    const answer = await fetch(root.dataset.judge, { method: "POST", body, headers: { Accept: "application/json" } });
    return await answer.json();
  } catch {
    return { sentence: gettext("Nobody could be asked to judge it. Is the network there?") };
  }
}

function name({ match }) {
  const names = match.seats.map((seat, number) => {
    const element = document.createElement("span");
    element.className = "seat-name";
    element.dir = "auto";
    element.dataset.seat = String(number);
    element.textContent = seat.name;
    return element;
  });
  part("title").replaceChildren(names[0], " – ", names[1]);
  const when = new Date(match.started_at);
  const facts = [Object.hasOwn(games, match.game) ? games[match.game] : String(match.game), Number.isNaN(when.getTime()) ? "" : dayAndTime(when)];
  part("facts").textContent = facts.filter(Boolean).join(" · ");
}

function tell({ sound, faults, sentence }, seek) {
  const verdict = part("verdict");
  if (sentence) {
    verdict.textContent = sentence;
    return;
  }
  verdict.dataset.sound = String(sound);
  if (sound) {
    verdict.textContent = gettext("Every event agrees with the rules.");
    return;
  }
  const [{ seq, text }] = faults;
  if (!seq) {
    verdict.textContent = format(gettext("It does not agree with the rules: %(text)s."), { text });
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = format(gettext("Event %(seq)s does not agree with the rules: %(text)s."), { seq, text });
  button.addEventListener("click", () => seek(seq));
  verdict.replaceChildren(button);
}
