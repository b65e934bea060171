/** The replay page: fetches the document and ties board, player, timeline, moments and figures together. */

import { createBoard } from "../table/board.js";
import { gettext } from "../text.js";
import { createControls } from "./controls.js";
import { BadDocument, fetchDocument } from "./document.js";
import { createFigures } from "./figures.js";
import { createHub } from "./hub.js";
import { listenToKeys } from "./keys.js";
import { createMoments } from "./moments.js";
import { momentAddress, readAddress } from "./moment.js";
import { cardsLeft, outlineOf } from "./outline.js";
import { Player } from "./player.js";
import { platesOf } from "./plates.js";
import { createTimeline } from "./timeline.js";
import { Track, asSeen } from "./track.js";
import { cardNode, describe, toText } from "./words.js";

/** How often the address may change: browsers allow about three times a second. */
const ADDRESS_MS = 400;
/** How soon a moment that one has stepped to is spoken: not while the key is held. */
const SPEAK_MS = 200;

const root = document.getElementById("replay");
const part = (name) => root.querySelector(`[data-part="${name}"]`);

fetchDocument(root.dataset.document).then(open).catch((error) => {
  root.dataset.state = "failed";
  part("loading").textContent = error instanceof BadDocument ? error.message : gettext("The replay could not be shown.");
  // Not one of ours: a fault of the page, which belongs into the console.
  if (!(error instanceof BadDocument)) throw error;
});

/** @param {import("./document.js").ReplayDocument} replay */
function open(replay) {
  const { match, statistics } = replay;
  const track = new Track(replay);
  const outline = outlineOf(track);
  const player = new Player(track);
  /** @type {0|1} */
  let bottom = root.dataset.bottom === "1" ? 1 : 0;
  let reveal = false;

  const names = match.seats.map((seat) => seat.name);
  const nameOf = (seat) => (seat === null ? null : names[seat]);
  const pileName = (place) => (place === `centre.${bottom}` ? gettext("right") : gettext("left"));
  const wordsOf = (index) => describe(track.event(index), pileName);
  const say = () => (player.index ? toText(wordsOf(player.index), nameOf(wordsOf(player.index).seat)) : gettext("The start"));

  const board = createBoard(part("board"), { match, bottom });
  const hub = createHub(board.hub);
  const page = {
    flip: () => setBottom(bottom ? 0 : 1),
    reveal: () => setReveal(!reveal),
    skip: () => player.setSkipWaits(!player.skipWaits),
    share: () => share(),
    sheet: () => part("sheet-dialog").showModal(),
    zoom: (factor) => timeline.zoom(factor),
  };
  const timeline = createTimeline(part("timeline"), { outline, player, preview, say });
  const moments = createMoments(part("moments"), { player, wordsOf, nameOf });
  const figures = statistics?.seats?.length ? createFigures(part("figures"), { statistics, names, player, pileName }) : null;
  const controls = createControls(root, player, page);
  listenToKeys(player, { contests: outline.contests, rounds: outline.rounds.map((round) => round.index) }, page);

  player.listen((_, change) => draw(change));
  window.addEventListener("popstate", () => player.go(readAddress(location, track) ?? track.atTime(0)));
  window.addEventListener("hashchange", () => player.go(readAddress(location, track) ?? track.atTime(0)));
  root.dataset.state = "ready";
  setBottom(bottom);
  player.go(readAddress(location, track) ?? track.atTime(0));

  /** @param {import("./player.js").Change} change */
  function draw({ from, cause }) {
    const { view } = player;
    const passed = player.index - from;
    board.render(asSeen(view, bottom), { animate: cause !== "seek" || Math.abs(passed) === 1, reveal });
    hub.show(view.status, player.ms);
    root.dataset.index = String(player.index);
    if (cause === "settings") return;
    if (passed || cause === "seek") {
      for (const seat of [0, 1]) board.setPlate(seat, platesOf(view.status, seat));
      board.mark({ glow: view.status.phase === "slap" ? ["centre.0", "centre.1"] : [] });
      comment(passed, cause);
    }
    keepAddress();
    if (!player.playing) speakSoon();
  }

  /** Say beside the pile what went wrong there, when the replay has just passed it. */
  function comment(passed, cause) {
    const near = cause !== "seek" && passed > 0 && passed < 4;
    let missed = null;
    for (let index = player.index - passed + 1; near && index <= player.index; index += 1) {
      if (track.event(index).kind === "missed") missed = index;
    }
    if (missed === null) {
      board.say("", "");
      return;
    }
    const event = track.event(missed);
    const words = wordsOf(missed);
    board.say(event.pile, toText(words, nameOf(words.seat)), "bad");
    if (event.place) board.shake(event.place);
  }

  /** A moment under the pointer: what lies in the centre, and how many cards each has left. */
  function preview(ms) {
    const view = track.views[track.indexAt(ms)];
    const nodes = [];
    for (const place of [`centre.${1 - bottom}`, `centre.${bottom}`]) {
      const top = view.places[place]?.at(-1);
      if (top) nodes.push(cardNode(top));
    }
    for (const seat of [1 - bottom, bottom]) {
      const left = document.createElement("span");
      left.className = "timeline-tip-left";
      left.dataset.seat = String(seat);
      left.textContent = String(cardsLeft(view, seat));
      nodes.push(left);
    }
    return nodes;
  }

  /** @param {0|1} seat */
  function setBottom(seat) {
    bottom = seat;
    root.dataset.bottom = String(seat);
    board.setBottom(seat);
    timeline.setBottom(seat);
    figures?.setBottom(seat);
    moments.rewrite();
    draw({ from: player.index, cause: "seek" });
  }

  function setReveal(next) {
    reveal = next;
    controls.showReveal(reveal);
    draw({ from: player.index, cause: "settings" });
  }

  // The address follows, and a link to the moment can be had.

  let addressTimer = 0;

  const addressNow = () => momentAddress(location.href, player, track);

  function keepAddress() {
    addressTimer ||= setTimeout(() => {
      addressTimer = 0;
      if (location.href !== addressNow()) history.replaceState(null, "", addressNow());
    }, ADDRESS_MS);
  }

  async function share() {
    const address = addressNow();
    history.replaceState(null, "", address);
    try {
      await navigator.clipboard.writeText(address);
      controls.sayShared(gettext("Copied"));
      part("spoken").textContent = gettext("The link to this moment was copied.");
    } catch {
      // No clipboard, or not allowed (a page without https): then to be copied by hand.
      part("link").value = address;
      part("link-dialog").showModal();
      part("link").select();
    }
  }

  let speakTimer = 0;

  function speakSoon() {
    clearTimeout(speakTimer);
    speakTimer = setTimeout(() => {
      if (!player.playing) part("spoken").textContent = say();
    }, SPEAK_MS);
  }
}
