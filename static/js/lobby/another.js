/** A new opponent after a match that quick pairing led to: asked for at the table, looked for on the home page. */

const KEY = "spit.another";
/** A wish that has not got to the home page by then is none: the reader went elsewhere. */
const LASTS_MS = 30_000;

/**
 * @typedef {object} Wish
 * @property {string} game @property {boolean} rated
 */

/** Go and look. It is handed on within this tab, and by no address: nobody else can send a reader into a queue. @param {string} home @param {Wish} wish */
export function lookForAnother(home, wish) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...wish, until: Date.now() + LASTS_MS }));
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
    const wish = JSON.parse(kept ?? "null");
    const left = wish ? wish.until - Date.now() : 0;
    return left > 0 && left <= LASTS_MS ? { game: wish.game, rated: wish.rated } : null;
  } catch {
    return null;
  }
}
