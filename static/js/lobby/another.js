/** A new opponent after a match that quick pairing led to: asked for at the table, looked for on the home page. */

const KEY = "spit.another";

/**
 * @typedef {object} Wish
 * @property {string} game @property {boolean} rated
 */

/** Go and look. It is handed on within this tab, and by no address: nobody else can send a reader into a queue. @param {string} home @param {Wish} wish */
export function lookForAnother(home, wish) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(wish));
  } catch {
    // Without storage there are the tiles to be pressed.
  }
  location.assign(home);
}

/** What is to be looked for on this page, once. @returns {Wish|null} */
export function takeWish() {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return JSON.parse(kept ?? "null");
  } catch {
    return null;
  }
}
