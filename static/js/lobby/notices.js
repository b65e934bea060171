/** Quiet notices at the edge of any page: challenges to the reader, and what the lobby has to say. */

import { dismissButton } from "../site/dismiss.js";

const LASTS_MS = 8000;

/** The page brings it along, empty: what is put into it from then on is read out. @returns {HTMLElement} */
const box = () => document.getElementById("notices");

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

/**
 * Say something: for a while, or until it is put away, where it leads somewhere or should not be missed.
 * @param {string} text
 * @param {{url?: string|null, link?: string, stays?: boolean}} [way] where it leads
 */
export function say(text, { url = null, link = "", stays = false } = {}) {
  const notice = document.createElement("div");
  notice.className = "notice notice-said";
  notice.dataset.text = text;
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
  const isKept = stays || Boolean(url);
  if (isKept) notice.append(dismissButton(".notice"));
  else notice.dataset.passes = "true";
  // Said again is said once; what passes makes way for what is new.
  for (const old of box().querySelectorAll(".notice-said")) {
    if (old.dataset.passes || old.dataset.text === text) old.remove();
  }
  box().append(notice);
  if (!isKept) goLater(notice);
}

/** What went wrong is of no matter any more. */
export function forget() {
  for (const old of box().querySelectorAll(".notice-said:not([data-passes])")) old.remove();
}

/** Not while somebody reads it with the pointer or the focus in it. @param {HTMLElement} notice */
function goLater(notice) {
  setTimeout(() => {
    if (notice.matches(":hover, :focus-within")) goLater(notice);
    else notice.remove();
  }, LASTS_MS);
}
