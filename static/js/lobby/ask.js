/** What a page asks of the lobby: forms and buttons are sent by the script, the answer is JSON (games/lobby/asking.py). */

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

let token = "";

/** @param {string} url @param {FormData} data @returns {Promise<Answer>} */
export async function ask(url, data) {
  token ||= document.getElementById("lobby-script")?.dataset.token ?? "";
  data.set("page", page);
  data.set("csrfmiddlewaretoken", token);
  try {
    const response = await fetch(url, { method: "POST", body: data, headers: { Accept: "application/json" } });
    const answer = await response.json();
    if (answer.token) renew(answer.token);
    return { ok: response.ok, ...answer };
  } catch {
    return { ok: false, code: "offline", text: gettext("That did not get through. Try again.") };
  }
}

/** The token of the forms on this page: another one once somebody new has got a name. @param {string} fresh */
function renew(fresh) {
  token = fresh;
  for (const input of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) input.value = fresh;
}
