/** What a page asks of the lobby: forms and buttons are sent by the script, the answer is JSON (games/lobby/asking.py). */

import { isJson, post } from "../site/token.js";
import { gettext } from "../text.js";

/** Another page in the same tab is another one: what was looked for here is over there. */
const KEY = `spit.page ${location.pathname}`;
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** The name of this page. It stays while the page is loaded anew, so that its place in the queue does. */
export const page = pageName();

function pageName() {
  const fresh = Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => LETTERS[byte % LETTERS.length]).join("");
  try {
    // A second tab made as a copy of this one has its storage, too: the name is taken out while the page is there.
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept ?? fresh;
  } catch {
    return fresh;
  }
}

addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(KEY, page);
  } catch {
    // Without storage a page that is loaded anew is another one.
  }
});

/**
 * @typedef {object} Answer
 * @property {boolean} ok
 * @property {number|null} [seek]
 * @property {boolean} [known] whoever is here has a name from now on
 * @property {string} [code] of a refusal
 * @property {string} [text] for people
 * @property {string|null} [url] the match that is in the way
 */

/** @param {string} url @param {FormData} data @returns {Promise<Answer>} */
export async function ask(url, data) {
  data.set("page", page);
  // The header has the token as it is; that of the form may be older.
  data.delete("csrfmiddlewaretoken");
  try {
    const response = await post(url, data);
    if (isJson(response)) return { ok: response.ok, ...(await response.json()) };
    if (response.status === 403) {
      return { ok: false, code: "too_old", text: gettext("This page is too old to be used. Load it anew.") };
    }
  } catch {
    // No line: said below.
  }
  return { ok: false, code: "offline", text: gettext("That did not get through. Try again.") };
}
