/** What a person likes at the table, kept in this browser. */

const KEY = "spit.table";

/**
 * @typedef {object} Settings
 * @property {boolean} sound
 * @property {number} volume from 0 to 1
 * @property {boolean} fourColours each suit in a colour of its own
 * @property {boolean} whispers print the ranks that fit under a pile
 * @property {boolean} oneTap a press plays a card that fits in one place only
 */

/** @type {Settings} */
const DEFAULTS = { sound: true, volume: 1, fourColours: false, whispers: true, oneTap: false };

/** @returns {Settings} */
export function loadSettings() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    // No storage (a private window), or another program's text: the defaults will do.
    return { ...DEFAULTS };
  }
}

/** @param {Settings} settings */
export function saveSettings(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage they last as long as the page.
  }
}
