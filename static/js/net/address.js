/**
 * The address of a socket of this site. (net/early.js stands alone and says the same once more.)
 * @param {string} path
 * @param {Record<string, string>} [query]
 */
export function socketUrl(path, query = {}) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
