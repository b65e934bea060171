/** Forms marked `data-find` show while one types whose names begin so; sent, they are ordinary forms. */

import { format, ngettext } from "../text.js";

/** Whoever types fast asks once. */
const RESTS_MS = 180;

for (const form of document.querySelectorAll("form[data-find]")) listen(form);

/** @param {HTMLFormElement} form */
function listen(form) {
  const field = form.elements.q;
  const found = form.querySelector('[data-part="found"]');
  const said = form.querySelector('[data-part="said"]');
  let shown = field.value.trim();
  let timer = 0;
  let asking = new AbortController();

  async function look() {
    const name = field.value.trim();
    // Whatever was asked before is not wanted any more, even if the field is as it was.
    asking.abort();
    if (name === shown) return;
    asking = new AbortController();
    const address = new URL(form.action);
    address.search = new URLSearchParams({ rows: "", q: name }).toString();
    try {
      const answer = await fetch(address, { signal: asking.signal, headers: { Accept: "text/html" } });
      // Too often is said, too.
      if (!answer.ok && answer.status !== 429) return;
      const html = await answer.text();
      shown = name;
      found.innerHTML = html;
      const count = found.querySelectorAll("a").length;
      const none = found.textContent.trim();
      said.textContent = count ? format(ngettext("%(count)s player", "%(count)s players", count), { count }) : none;
    } catch {
      // Overtaken by the next letter, or no line: what is there stays.
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, RESTS_MS);
  });

  // From the field to the names and along them, as in any list below a field.
  form.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const stops = [field, ...found.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}
