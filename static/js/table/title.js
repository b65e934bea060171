/** The title of the page, which is all that is seen of it in another tab: who plays, how it stands, and who has come. */

import { format, gettext } from "../text.js";
import { shortName } from "./words.js";

export class Title {
  /**
   * @param {{game: string, site: string}} names as people call them
   * @param {number} [pace] ms between two titles of a tab that wants to be seen
   * @param {HTMLElement|null} [heading] of the page, which says who plays
   */
  constructor(names, pace = 1000, heading = document.querySelector("h1")) {
    this.names = names;
    this.pace = pace;
    this.heading = heading;
    this.hasWaited = false;
    this.text = document.title;
    this.call = "";
    this.timer = 0;
    document.addEventListener("visibilitychange", () => document.hidden || this.#rest());
  }

  /** @param {import("./session.js").Session} session */
  show(session) {
    this.hasWaited ||= session.isWaiting;
    if (!session.view) return; // The server has said what the page waits for.
    const { match, you } = session;
    const { game, site } = this.names;
    const people = match.seats.map(({ name }) => name).join(" – ");
    const who = `${game}: ${people}`;
    if (this.heading && this.heading.textContent !== who) this.heading.textContent = who;
    this.text = [stateOf(session), who, site].filter(Boolean).join(" · ");
    if (this.hasWaited && you !== null && document.hidden) {
      this.call = format(gettext("● %(name)s is here"), { name: shortName(match, 1 - you) });
      this.timer ||= setInterval(() => put(document.title === this.call ? this.text : this.call), this.pace);
    }
    this.hasWaited = false;
    put(this.timer ? this.call : this.text);
  }

  #rest() {
    clearInterval(this.timer);
    this.timer = 0;
    put(this.text);
  }
}

/** How things stand, in a word or two: what is asked of the reader comes first. */
function stateOf({ view, shown, you }) {
  const { phase } = view.status;
  if (phase === "over") return gettext("Over");
  if (you === null || phase !== "ready") return gettext("At play");
  return shown.view.status.ready[you] ? gettext("At play") : gettext("Your turn: Ready?");
}

function put(text) {
  if (document.title !== text) document.title = text;
}
