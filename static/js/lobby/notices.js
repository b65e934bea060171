/** Quiet notices at the edge of any page: challenges to the reader, and what the lobby has to say. */

const LASTS_MS = 8000;

/** @returns {HTMLElement} */
function box() {
  let found = document.getElementById("notices");
  if (!found) {
    found = document.createElement("div");
    found.id = "notices";
    found.className = "notices";
    found.setAttribute("role", "status");
    document.body.append(found);
  }
  return found;
}

/** The challenges that there are now; those that stay keep their buttons. @param {string} html */
export function showChallenges(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const wanted = new Map([...template.content.children].map((notice) => [notice.dataset.challenge, notice]));
  for (const notice of document.querySelectorAll("[data-challenge]")) {
    if (!wanted.delete(notice.dataset.challenge)) notice.remove();
  }
  if (wanted.size) box().append(...wanted.values());
}

/** Say something for a while. @param {string} text @param {{url?: string|null, link?: string}} [way] where it leads */
export function say(text, { url = null, link = "" } = {}) {
  const notice = document.createElement("div");
  notice.className = "notice notice-said";
  const words = document.createElement("p");
  words.textContent = text;
  notice.append(words);
  if (url) {
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.className = "button button-s";
    anchor.textContent = link;
    notice.append(anchor);
  }
  for (const old of box().querySelectorAll(".notice-said")) old.remove();
  box().append(notice);
  setTimeout(() => notice.remove(), LASTS_MS);
}
