/** Parts marked `data-refresh="<address>"` are fetched again every few seconds, as long as the page is looked at. */

import { morph } from "./morph.js";

const EVERY = 4000;

for (const part of document.querySelectorAll("[data-refresh]")) keepFresh(part);

/** @param {HTMLElement} part */
function keepFresh(part) {
  let timer = 0;

  async function refresh() {
    try {
      const answer = await fetch(part.dataset.refresh, { headers: { Accept: "text/html" } });
      if (answer.ok) morph(part, await answer.text());
    } catch {
      // No line at this moment: what is shown stays, and the next time comes soon.
    }
    plan();
  }

  function plan() {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(refresh, EVERY);
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : refresh()));
  plan();
}
