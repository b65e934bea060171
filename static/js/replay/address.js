/** The address of the page follows the moment shown, so that a copied address, a reload and "back" come to it again. */

import { momentAddress, readAddress } from "./moment.js";

/** How often the address may change: browsers allow about three times a second. */
const CHANGE_MS = 400;

/**
 * @param {import("./player.js").Player} player
 * @param {string} [page] where the replay is looked at; the page itself, or, in a frame, that of the site. A file that
 *   was opened has none, and leaves the address alone
 */
export function followAddress(player, page) {
  const { track } = player;
  let timer = 0;

  const asked = () => readAddress(location, track) ?? track.atTime(0);

  function write() {
    clearTimeout(timer);
    timer = 0;
    if (!page) return location.href;
    const address = momentAddress(location.href, player, track);
    if (location.href !== address) history.replaceState(null, "", address);
    return address;
  }

  player.listen((_, { cause }) => {
    if (cause !== "settings") timer ||= setTimeout(write, CHANGE_MS);
  });
  // Somebody edits the address, or comes back to another moment of this page.
  const jump = () => {
    player.pause();
    player.go(asked());
  };
  window.addEventListener("hashchange", jump);
  window.addEventListener("popstate", jump);

  return {
    /** The position that the address asks for; the start of the match when it asks for none. */
    asked,
    /** The address of the moment shown, for others. */
    link: () => momentAddress(new URL(page, location.href).href, player, track),
    /** Bring the address up to date now. @returns {string} it */
    write,
  };
}
