/**
 * What the hand and the table want to know of the preferences, as plain values; `change` tells that some have changed,
 * here, in the menu, or in another tab.
 */

import { preferences } from "../site/preferences.js";

const CONTROLS = ["row1", "row2", "row3", "row4", "row5", "row6", "left", "right", "go"];

export class Settings extends EventTarget {
  constructor() {
    super();
    this.#read();
    preferences.addEventListener("change", () => {
      this.#read();
      this.dispatchEvent(new Event("change"));
    });
  }

  #read() {
    /** @type {boolean} */
    this.sound = preferences.isOn("sounds");
    /** From 0 to 1. @type {number} */
    this.volume = Number(preferences.get("volume")) / 100;
    /** Each suit in a colour of its own. @type {boolean} */
    this.fourColours = preferences.get("deck") === "four";
    /** Print the ranks that fit under a pile. @type {boolean} */
    this.whispers = preferences.isOn("whispers");
    /** A press plays a card that fits in one place only. @type {boolean} */
    this.oneTap = preferences.get("tap") === "fits";
    /** Cards change places and do not fly, whatever the device says. @type {boolean} */
    this.lessMotion = preferences.get("motion") === "less";
    /** Codes of keys by control: `row1` … `row6`, `left`, `right`, `go`. @type {Record<string, string>} */
    this.keys = Object.fromEntries(CONTROLS.map((control) => [control, preferences.key("table", control)]));
  }

  /** @param {boolean} isOn */
  setSound(isOn) {
    preferences.set({ sounds: isOn ? "on" : "off" });
  }
}

/** The reader's. */
export const settings = new Settings();
