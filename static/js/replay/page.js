/** A replay shown: ties board, player, timeline, moments and figures together. */

import { createBoard } from "../table/board.js";
import { cardsLeft } from "../table/layout.js";
import { format, gettext } from "../text.js";
import { followAddress } from "./address.js";
import { createControls } from "./controls.js";
import { createFigures } from "./figures.js";
import { createHub } from "./hub.js";
import { listenToKeys } from "./keys.js";
import { createMoments } from "./moments.js";
import { outlineOf } from "./outline.js";
import { platesOf } from "./plates.js";
import { Player } from "./player.js";
import { createTimeline } from "./timeline.js";
import { Track, asSeen } from "./track.js";
import { cardNode, describe, toText } from "./words.js";

/** How soon a moment that one has stepped to is spoken: not while the key is held. */
const SPEAK_MS = 200;
/** A play of more events in one frame shows where it got to, and comments on none. */
const FEW = 4;

/**
 * @param {HTMLElement} root the page's element, with one for each `data-part` of templates/replays/replay.html
 * @param {import("./document.js").ReplayDocument} replay
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
  const pileName = (place) => (place === `centre.${bottom}` ? gettext("right") : gettext("left"));
  const wordsOf = (index) => describe(track.event(index), pileName);
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
    sheet: () => part("sheet-dialog").showModal(),
    zoom: (factor) => timeline.zoom(factor),
  };
  const board = createBoard(part("board"), { match, bottom });
  const hub = createHub(board.hub);
  const timeline = createTimeline(part("timeline"), { outline, player, preview, say: () => sentence(player.index) });
  const moments = createMoments(part("moments"), { player, wordsOf, nameOf });
  const figures = statistics?.seats?.length
    ? createFigures(part("figures"), { statistics, names, player, pileName })
    : null;
  const controls = createControls(root, player, page);
  const address = followAddress(player);
  listenToKeys(player, { contests: outline.contests, rounds: outline.rounds.map((round) => round.index) }, page);
  player.listen((_, change) => draw(change));

  player.go(address.asked());
  setBottom(bottom);
  root.dataset.state = "ready";

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

  /** A moment under the pointer: what lies in the centre, and how many cards each has left. */
  function preview(ms) {
    const view = track.views[track.indexAt(ms)];
    const tops = [1 - bottom, bottom].map((number) => view.places[`centre.${number}`]?.at(-1));
    const counts = [1 - bottom, bottom].map((seat) => {
      const count = document.createElement("span");
      count.className = "timeline-tip-left";
      count.dataset.seat = String(seat);
      count.textContent = String(cardsLeft(view, seat));
      return count;
    });
    return [...tops.filter(Boolean).map(cardNode), ...counts];
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
    const link = address.write();
    try {
      await navigator.clipboard.writeText(link);
      controls.sayShared(gettext("Copied"));
      part("spoken").textContent = gettext("The link to this moment was copied.");
    } catch {
      // No clipboard, or not allowed (a page without https): then it is copied by hand.
      part("link").value = link;
      part("link-dialog").showModal();
      part("link").select();
    }
  }
}
