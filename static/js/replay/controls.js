/** The buttons and figures of the transport: shows how the player stands, and passes on what is pressed. */

import { format, gettext } from "../text.js";
import { clockParts, exactTime, shortTime } from "./moment.js";

/** How long a button says that it has done something, ms. */
const SAID_MS = 2200;

/**
 * @param {HTMLElement} root with one element for each `data-part` of templates/replays/replay.html
 * @param {import("./player.js").Player} player
 * @param {Record<string, () => void>} page what only the page can do
 */
export function createControls(root, player, page) {
  /** @type {(name: string) => any} */
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const play = part("play");
  const back = part("back");
  const time = part("time");
  const fraction = part("fraction");
  const share = part("share-label");
  const speeds = [...root.querySelectorAll("[data-speed]")];
  let said = 0;

  const actions = {
    home: () => player.home(),
    "step-back": () => player.step(-1),
    play: () => player.toggle(1),
    back: () => player.toggle(-1),
    step: () => player.step(1),
    end: () => player.toEnd(),
    ...page,
  };
  for (const button of root.querySelectorAll("button[data-part]")) {
    const action = actions[button.dataset.part];
    if (action) button.addEventListener("click", () => action());
  }
  for (const button of speeds) button.addEventListener("click", () => player.setSpeed(Number(button.dataset.speed)));
  part("length").textContent = shortTime(player.track.end);

  function show() {
    const { playing, direction } = player;
    const isForward = playing && direction > 0;
    play.dataset.on = String(isForward);
    play.ariaLabel = isForward ? gettext("Pause") : gettext("Play");
    play.title = play.ariaLabel;
    back.setAttribute("aria-pressed", String(playing && direction < 0));
    const parts = clockParts(player.ms);
    if (time.textContent !== parts.clock) {
      time.textContent = parts.clock;
      if (!said) nameShare();
    }
    fraction.textContent = `.${parts.fraction}`;
    for (const button of speeds) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === player.speed));
    }
    part("skip").setAttribute("aria-pressed", String(player.skipWaits));
    part("loop").setAttribute("aria-pressed", String(Boolean(player.loop)));
    // Not `disabled`: a button that is held to step must not lose the focus at the end.
    for (const name of ["home", "step-back"]) part(name).setAttribute("aria-disabled", String(player.atStart));
    for (const name of ["step", "end"]) part(name).setAttribute("aria-disabled", String(player.atEnd));
  }

  function nameShare() {
    const time = document.createElement("span");
    time.className = "only-wide";
    time.textContent = format(gettext(" to %(time)s"), { time: shortTime(player.ms) });
    share.replaceChildren(gettext("Link"), time);
    share.parentElement.title = format(gettext("Copy a link to %(time)s"), { time: exactTime(player.ms) });
  }

  player.listen(show);
  nameShare();
  show();
  return {
    /** @param {boolean} open */
    showReveal(open) {
      part("reveal").setAttribute("aria-pressed", String(open));
    },
    /** Say on the share button what became of it. @param {string} text */
    sayShared(text) {
      clearTimeout(said);
      share.textContent = text;
      said = setTimeout(() => {
        said = 0;
        nameShare();
      }, SAID_MS);
    },
  };
}
