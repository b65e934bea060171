/** The lessons: a position of Spit to begin with, and then one thing after the other. */

import { format, gettext } from "../text.js";

/**
 * @typedef {object} Words the words of this device, and the keys as they are printed here
 * @property {boolean} isTouch
 * @property {(place: string) => string} key
 *
 * @typedef {object} Lesson
 * @property {string} name
 * @property {(words: Words) => string} text
 * @property {string[]} [look] places to be pointed at
 * @property {Record<string, string[]>} [places] another position; else it goes on from the one before
 * @property {string} [phase]
 * @property {[string, string, string]} [rival] see `Tutor.rival`
 * @property {Partial<import("./tutor.js").Command>} asked what is to be done; legal as it may be, nothing else is
 * @property {() => string} [after] said when it was done, to be read before it goes on
 */

const backs = (count) => Array.from({ length: count }, () => "-");

/** The first position; known backs are turned up as the lessons go. Seat 0 starts the pile on the right. */
export const START = {
  "0.stockpile.1": ["9c"],
  "0.stockpile.2": ["-4d", "Qd"],
  "0.stockpile.3": ["-", "-2s", "4s"],
  "0.stockpile.4": ["-", "-", "-3h", "Jh"],
  "0.stockpile.5": ["-", "-", "-", "-Kc", "6c"],
  "1.stockpile.1": ["Kh"],
  "1.stockpile.2": ["-", "4c"],
  "1.stockpile.3": ["-", "-", "6s"],
  "1.stockpile.4": ["-", "-", "-", "2d"],
  "1.stockpile.5": ["-", "-", "-", "-", "5d"],
  "0.spit": [...backs(9), "-3c", "-Ks"],
  "1.spit": [...backs(9), "-7s", "-8h"],
  "centre.0": [],
  "centre.1": [],
};

/** You have no stockpile left: the end of a round. */
const ROUND_OVER = {
  ...START,
  "0.stockpile.1": [],
  "0.stockpile.2": [],
  "0.stockpile.3": [],
  "0.stockpile.4": [],
  "0.stockpile.5": [],
  "1.stockpile.1": [],
  "0.spit": backs(6),
  "1.spit": backs(6),
  "centre.0": [...backs(16), "5h"],
  "centre.1": [...backs(5), "6h"],
};

/** @type {readonly Lesson[]} */
export const LESSONS = [
  {
    name: "ready",
    places: START,
    phase: "ready",
    text: ({ isTouch, key }) =>
      isTouch
        ? gettext("Your cards lie below. A round begins when both are ready: tap Ready.")
        : format(gettext("Your cards lie below. A round begins when both are ready: press Ready, or the key %(key)s."), {
            key: key("0.spit"),
          }),
    asked: { t: "ready" },
  },
  {
    name: "press",
    look: ["0.stockpile.1", "centre.1"],
    text: ({ isTouch }) =>
      isTouch
        ? gettext("A card goes on one that is one higher or lower. Tap your 9, then tap the 8.")
        : gettext("A card goes on one that is one higher or lower. Click your 9, then click the 8."),
    asked: { t: "play", card: "9c", to: "centre.1" },
  },
  {
    name: "drag",
    look: ["0.stockpile.2", "centre.0"],
    text: () => gettext("Or drag it: your queen onto the king."),
    asked: { t: "play", card: "Qd", to: "centre.0" },
  },
  {
    name: "keys",
    look: ["0.stockpile.4", "centre.0"],
    text: ({ isTouch, key }) =>
      isTouch
        ? gettext("Once more, as you like it best: your jack onto the queen.")
        : format(gettext("Fastest are the keys. Your jack onto the queen: %(card)s, then %(pile)s."), {
            card: key("0.stockpile.4"),
            pile: key("centre.0"),
          }),
    asked: { t: "play", card: "Jh", to: "centre.0" },
  },
  {
    name: "space",
    look: ["0.stockpile.3", "0.stockpile.1"],
    text: ({ isTouch }) =>
      isTouch
        ? gettext("Your first place is empty. Tap your black 4, then the empty place: the card below it turns up.")
        : gettext("Your first place is empty. Click your black 4, then the empty place: the card below it turns up."),
    asked: { t: "move", card: "4s", to: "0.stockpile.1" },
  },
  {
    name: "stuck",
    phase: "stuck",
    text: ({ isTouch, key }) =>
      isTouch
        ? gettext("Nothing fits, on either side: you are stuck. Tap Spit in the middle, and both turn a card.")
        : format(gettext("Nothing fits, on either side: you are stuck. Press Spit, or the key %(key)s, and both turn a card."), {
            key: key("0.spit"),
          }),
    asked: { t: "spit" },
  },
  {
    name: "race",
    look: ["0.stockpile.5", "centre.1"],
    rival: ["6s", "1.stockpile.3", "centre.1"],
    text: () => gettext("On it goes, and you are not alone: your friend has a 6 too. Quick, your 6 onto the 7!"),
    asked: { t: "play", card: "6c", to: "centre.1" },
    after: () => gettext("Too late by a blink: your card went back. You will be the faster one next time."),
  },
  {
    name: "slap",
    places: ROUND_OVER,
    phase: "slap",
    text: ({ isTouch, key }) =>
      isTouch
        ? gettext("You have played all your stockpiles, and the round is over. Slap the pile with fewer cards!")
        : format(gettext("You have played all your stockpiles, and the round is over. Slap the pile with fewer cards: %(pile)s!"), {
            pile: key("centre.1"),
          }),
    asked: { t: "slap", pile: "centre.1" },
  },
];
