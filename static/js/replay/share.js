/** The sheet to share from: a link, a frame for a page of one's own, a picture, a clip of a part, the file. */

import { format, gettext } from "../text.js";
import { exactTime, momentAddress } from "./moment.js";

/** No clip is longer (replays/clips.py), ms. */
const LONGEST_CLIP = 15_000;
/** Around the moment, when no part is marked: mostly what led to it. */
const BEFORE = 7000;
const AFTER = 3000;

/**
 * @param {HTMLElement} root whose `data-` addresses are those of templates/replays/addresses.html; a file that was opened
 *   from elsewhere has none, and then there is nothing to be shared
 * @param {object} parts
 * @param {import("./player.js").Player} parts.player
 * @param {import("./track.js").Track} parts.track
 * @param {() => 0|1} parts.bottom
 * @param {() => string} parts.link
 */
export function createShare(root, { player, track, bottom, link }) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const { page, embed, image, clip, file } = root.dataset;
  const absolute = (path) => new URL(path, location.href);

  /** The part that a clip shows: the one marked, from its start on, or what is around the moment. */
  function partOf() {
    const { end } = track;
    if (player.loop) return { from: player.loop.from, to: Math.min(player.loop.to, player.loop.from + LONGEST_CLIP) };
    const ms = Math.floor(player.ms);
    const to = Math.min(end, ms + AFTER);
    return { from: Math.max(0, Math.min(ms - BEFORE, to - BEFORE - AFTER)), to };
  }

  function write() {
    part("share-moment").textContent = exactTime(player.ms);
    part("link").value = link();
    const frame = document.createElement("iframe");
    frame.src = momentAddress(absolute(embed).href, player, track);
    Object.assign(frame, { width: "720", height: "560", loading: "lazy", allow: "fullscreen; clipboard-write" });
    frame.title = document.title;
    part("frame").value = frame.outerHTML;
    const picture = absolute(image);
    picture.searchParams.set("t", String(Math.floor(player.ms)));
    if (bottom()) picture.searchParams.set("b", "1");
    part("share-image").href = picture.href;
    const { from, to } = partOf();
    part("share-clip").href = clip.replace("0-1-0", `${Math.floor(from)}-${Math.floor(to)}-${bottom()}`);
    const times = { from: exactTime(from).slice(0, -2), to: exactTime(to).slice(0, -2) };
    part("share-clip-label").textContent = format(gettext("Clip, %(from)s – %(to)s"), times);
    part("share-file").href = file;
    part("share-said").textContent = "";
  }

  for (const button of root.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      const field = part(button.dataset.copy);
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        part("share-said").textContent = gettext("Copied");
      } catch {
        part("share-said").textContent = gettext("Press Ctrl and C to copy what is marked.");
      }
    });
  }

  return {
    open() {
      if (!page) return;
      write();
      part("share-dialog").showModal();
    },
  };
}
