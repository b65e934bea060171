/** Pictures of the table on pages that explain: positions from the page's data, drawn by the board of the live table. */

import { createBoard } from "../table/board.js";
import { Hub } from "../table/hub.js";

/**
 * @typedef {object} Picture
 * @property {Record<string, string[]>} places
 * @property {"table"|"play"|"centre"|"row"} show
 * @property {string[]} fits
 * @property {string[]} glow
 * @property {{label: string, title: string, tone: "go"|"wait"|"danger", of: number, left: number}|null} clock
 */

/** @type {{seats: import("../table/board.js").SeatInfo[], pictures: Record<string, Picture>}} */
const { seats, pictures } = JSON.parse(document.getElementById("pictures").textContent);

for (const root of document.querySelectorAll("[data-picture]")) draw(root, pictures[root.dataset.picture]);

/** @param {HTMLElement} root @param {Picture} picture */
function draw(root, { places, fits, glow, clock }) {
  const board = createBoard(root, { match: { seats } });
  board.render(
    { seq: 0, at: 0, places, status: /** @type {any} */ ({ phase: "playing", round: 1 }) },
    { animate: false },
  );
  board.mark({ targets: fits, glow });
  if (clock) showClock(board, clock);
}

/** A ring that stands still. */
function showClock(board, { label, title, tone, of, left }) {
  const hub = new Hub(board.hub, { clock: { now: () => of - left } });
  hub.show({ kind: "ring", label, title, tone, since: 0, due: of });
  hub.destroy();
  for (const animation of board.hub.getAnimations({ subtree: true })) animation.pause();
}
