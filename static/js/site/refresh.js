/** Parts marked `data-refresh="<address>"` are fetched again every few seconds, as long as the page is looked at. */

const EVERY = 4000;

for (const part of document.querySelectorAll("[data-refresh]")) keepFresh(part);

/** @param {HTMLElement} part */
function keepFresh(part) {
  let shown = "";
  let timer = 0;

  async function refresh() {
    try {
      const answer = await fetch(part.dataset.refresh, { headers: { Accept: "text/html" } });
      if (answer.ok) show(await answer.text());
    } catch {
      // No line at this moment: what is shown stays, and the next time comes soon.
    }
    plan();
  }

  /** @param {string} html the site's own template */
  function show(html) {
    if (html === shown) return;
    shown = html;
    const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    part.innerHTML = html;
    if (focused) part.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  function plan() {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(refresh, EVERY);
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : refresh()));
  plan();
}
