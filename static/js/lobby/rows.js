/** The open challenges: rows come and go under the pointer without moving those that stay. */

import { put } from "../put.js";

/**
 * Bring a list up to date. A row is known by its `data-seek`; rows that stay are the same elements, new ones come last.
 * @param {HTMLElement} list @param {string} html the site's own template
 */
export function bringUpToDate(list, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const wanted = new Map([...template.content.querySelectorAll("[data-seek]")].map((row) => [row.dataset.seek, row]));
  for (const row of [...list.children]) {
    if (!wanted.delete(row.dataset.seek)) row.remove();
  }
  list.append(...wanted.values());
}

/**
 * Show the rows of one game, and mark one's own.
 * @param {HTMLElement} list @param {string} game empty: all @param {string} own the id of one's own
 * @returns {number} how many are seen
 */
export function show(list, game, own) {
  let seen = 0;
  for (const row of list.children) {
    row.hidden = game !== "" && row.dataset.game !== game;
    row.classList.toggle("is-yours", row.dataset.seek === own);
    if (!row.hidden) seen += 1;
  }
  return seen;
}

/** What each of them would do to the reader's rating. @param {HTMLElement} list @param {Record<string, string>} texts */
export function showStakes(list, texts) {
  for (const row of list.children) {
    const stake = row.querySelector("[data-stake]");
    if (!stake) continue;
    put(stake, texts[row.dataset.seek] ?? "");
    stake.hidden = !stake.textContent;
  }
}
