/**
 * The token of the site's forms. Whoever gets a name, by playing as a guest or by signing in, gets another token with it, in all
 * tabs at once: what a page was sent with is good no more. The cookie always has the one that is.
 */

const COOKIES = [/(?:^|; )__Host-csrftoken=([^;]+)/, /(?:^|; )csrftoken=([^;]+)/];
const FIELDS = "input[name=csrfmiddlewaretoken]";

/** The token as it is now. @returns {string} */
export function token() {
  for (const each of COOKIES) {
    const found = each.exec(document.cookie);
    if (found) return found[1];
  }
  // No cookies are to be seen here: then what the page came with is all there is.
  return document.querySelector(FIELDS)?.value ?? document.getElementById("lobby-script")?.dataset.token ?? "";
}

/** The forms of this page have it, too. */
function bringUpToDate() {
  const now = token();
  for (const field of document.querySelectorAll(FIELDS)) if (field.value !== now) field.value = now;
}

/**
 * Post a form to this site.
 *
 * @param {string} url @param {FormData|URLSearchParams} body
 * @param {{keepalive?: boolean}} [options]
 * @returns {Promise<Response>}
 */
export async function post(url, body, { keepalive = false } = {}) {
  const send = (sent) => fetch(url, { method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": sent }, keepalive });
  const first = token();
  const answer = await send(first);
  // It may have changed while this was on its way.
  return answer.status === 403 && !isJson(answer) && token() !== first ? send(token()) : answer;
}

/** @param {Response} answer */
export const isJson = (answer) => (answer.headers.get("Content-Type") ?? "").startsWith("application/json");

// Whoever comes back from another tab, and whoever sends a form.
addEventListener("focus", bringUpToDate);
addEventListener("pageshow", bringUpToDate);
document.addEventListener("visibilitychange", bringUpToDate);
document.addEventListener("submit", bringUpToDate, true);
