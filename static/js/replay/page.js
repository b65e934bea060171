/** A replay shown: ties board, player, timeline, moments and figures together. */

import { createBoard } from "../table/board.js";
import { format, gettext } from "../text.js";
import { followAddress } from "./address.js";
import { createControls } from "./controls.js";
import { createFigures } from "./figures.js";
import { createHub } from "./hub.js";
import { actionsOf, listenToKeys } from "./keys.js";
import { createMoments } from "./moments.js";
import { outlineOf } from "./outline.js";
import { platesOf } from "./plates.js";
import { Player } from "./player.js";
import { miniTable } from "./preview.js";
import { createShare } from "./share.js";
import { createTimeline } from "./timeline.js";
import { Track, asSeen } from "./track.js";
import { describe, toText } from "./words.js";

/** How soon a moment that one has stepped to is spoken: not while the key is held. */
const SPEAK_MS = 200;
/** A play of more events in one frame shows where it got to, and comments on none. */
const FEW = 4;
/** A part to be played again and again that nobody has marked is so long, ms. */
const PART_MS = 5000;
/** A step of the timeline closer. */
const ZOOM = 1.6;

/**
 * @param {HTMLElement} root the page's element, with one for each `data-part` of templates/replays/replay.html
 * @param {import("./document.js").ReplayDocument} replay
 * @returns {{seek: (index: number) => void}}
 * @throws {import("./document.js").BadDocument} its events cannot be followed
 */
export function showReplay(root, { match, statistics, ...rest }) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const track = new Track(rest);
  const outline = outlineOf(track);
  const player = new Player(track);
  /** @type {0|1} */
  let bottom = root.dataset.bottom === "1" ? 1 : 0;
  let reveal = false;
  let speakTimer = 0;

  const names = match.seats.map((seat) => seat.name);
  const nameOf = (seat) => (seat === null ? null : names[seat]);
  const sideOf = (place) => (place === `centre.${bottom}` ? "right" : "left");
  const wordsOf = (index) => describe(track.event(index), sideOf);
  const sentence = (index) => {
    if (index === 0) return gettext("The start");
    const words = wordsOf(index);
    return toText(words, nameOf(words.seat));
  };

  const page = {
    flip: () => setBottom(bottom ? 0 : 1),
    reveal: () => setReveal(!reveal),
    skip: () => player.setSkipWaits(!player.skipWaits),
    share,
    send: () => sharing.open(),
    loop: toggleLoop,
    partFrom: () => markPart("from"),
    partTo: () => markPart("to"),
    closer: () => timeline.zoom(ZOOM),
    wider: () => timeline.zoom(1 / ZOOM),
  };
  const board = createBoard(part("board"), { match, bottom });
  const hub = createHub(board.hub);
  const timeline = createTimeline(part("timeline"), { outline, player, preview, say: () => sentence(player.index) });
  const moments = createMoments(part("moments"), { player, wordsOf, nameOf });
  /** @type {ReturnType<typeof createFigures>|null} */
  let figures = null;
  const controls = createControls(root, player, page);
  const address = followAddress(player, root.dataset.page);
  // What is reported is the moment that is looked at.
  const report = /** @type {HTMLAnchorElement|null} */ (part("report"));
  report?.addEventListener("click", () => (report.search = `?t=${Math.floor(player.ms)}`));
  const sharing = createShare(root, { player, track, bottom: () => bottom, link: address.link });
  const stops = { contests: outline.contests, rounds: outline.rounds.map((round) => round.index) };
  listenToKeys(actionsOf(player, stops, page));
  player.listen((_, change) => draw(change));

  player.go(address.asked());
  setBottom(bottom);
  root.dataset.state = "ready";
  // First the table is seen: of a long match the figures are hundreds of lines.
  if (statistics?.seats?.length) {
    requestAnimationFrame(() =>
      setTimeout(() => {
        figures = createFigures(part("figures"), { statistics, names, player, sideOf });
        figures.setBottom(bottom);
      }),
    );
  }
  return {
    /** Go to the state after so many events. @param {number} index */
    seek(index) {
      player.pause();
      player.seekIndex(index);
    },
  };

  /** @param {import("./player.js").Change} change */
  function draw({ from, cause }) {
    const { view } = player;
    const passed = player.index - from;
    // A step is seen to happen; where a jump leads is simply there.
    const animate = Math.abs(passed) <= (cause === "play" ? FEW : 1);
    board.render(asSeen(view, bottom), { animate, reveal });
    hub.show(view.status, player.ms);
    root.dataset.index = String(player.index);
    if (cause === "settings" || (cause === "play" && !passed)) return;
    for (const seat of [0, 1]) board.setPlate(seat, platesOf(view.status, seat));
    board.mark({ glow: view.status.phase === "slap" ? ["centre.0", "centre.1"] : [] });
    comment(cause === "seek" ? 0 : passed);
    if (!player.playing) speakSoon();
  }

  /** Say beside the pile what went wrong there, when the replay has just passed it. */
  function comment(passed) {
    let missed = 0;
    if (passed <= FEW) {
      for (let index = player.index - passed + 1; index <= player.index; index += 1) {
        if (track.event(index)?.kind === "missed") missed = index;
      }
    }
    if (!missed) {
      board.say("", "");
      return;
    }
    const { pile, place, seat, late } = track.event(missed);
    board.say(pile, format(gettext("%(name)s was %(late)s ms late"), { name: nameOf(seat), late }), "bad");
    if (place) board.shake(place);
  }

  function speakSoon() {
    clearTimeout(speakTimer);
    speakTimer = setTimeout(() => {
      if (!player.playing) part("spoken").textContent = sentence(player.index);
    }, SPEAK_MS);
  }

  /** A moment under the pointer, as a small table. */
  function preview(ms) {
    return [miniTable(asSeen(track.views[track.indexAt(ms)], bottom), bottom)];
  }

  /** The end of a part is here; what is no part yet becomes one that begins, or ends, some seconds away. */
  function markPart(end) {
    const { loop, ms } = player;
    const from = end === "from" ? ms : Math.min(loop?.from ?? ms - PART_MS, ms - 100);
    const to = end === "to" ? ms : Math.max(loop?.to ?? ms + PART_MS, ms + 100);
    player.setLoop({ from, to });
  }

  function toggleLoop() {
    player.toggleLoop({ from: player.ms - PART_MS / 2, to: player.ms + PART_MS / 2 });
  }

  /** @param {0|1} seat */
  function setBottom(seat) {
    bottom = seat;
    root.dataset.bottom = String(seat);
    board.setBottom(seat);
    timeline.setBottom(seat);
    figures?.setBottom(seat);
    moments.rewrite();
    draw({ from: player.index, cause: "settings" });
  }

  function setReveal(next) {
    reveal = next;
    controls.showReveal(reveal);
    draw({ from: player.index, cause: "settings" });
  }

  async function share() {
    // A file from elsewhere has no address.
    if (!root.dataset.page) return;
    address.write();
    const link = address.link();
    try {
      await navigator.clipboard.writeText(link);
      controls.sayShared(gettext("Copied"));
      part("spoken").textContent = gettext("The link to this moment was copied.");
    } catch {
      // No clipboard, or not allowed (a page without https): then it is copied by hand.
      sharing.open();
      part("link").select();
    }
  }
}
