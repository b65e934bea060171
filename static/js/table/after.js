/** What is known of a match only after its end, because somebody else than its table counts it: asked for a few times. */

/** Before each time, in ms. */
const PAUSES = [300, 700, 1500, 3000, 6000, 12000, 24000];
/** From here on it may take long: it is said so. */
const LATE = 4;

export class After {
  /**
   * @param {string} url
   * @param {import("./session.js").Session} session
   * @param {number[]} [pauses]
   */
  constructor(url, session, pauses = PAUSES) {
    this.url = url;
    this.session = session;
    this.pauses = pauses;
    this.hasBegun = false;
  }

  /** To be called at every change. */
  look() {
    const { view, match } = this.session;
    if (this.hasBegun || view?.status.phase !== "over") return;
    // Whether somebody was away is not a thing to be said first and taken back: that is asked at once.
    const isBroken = ["left", "aborted"].includes(view.status.result.cause);
    if (!isBroken && !match.rated) return;
    this.hasBegun = true;
    if (isBroken) this.#ask(-1);
    else this.#askIn(0);
  }

  #askIn(turn) {
    if (turn < this.pauses.length) setTimeout(() => this.#ask(turn), this.pauses[turn]);
  }

  async #ask(turn) {
    const told = await answerOf(this.url);
    const { session } = this;
    if (told) session.ratings = told.ratings;
    session.barred = told?.barred ?? session.barred ?? [false, false];
    if (session.ratings.pending) {
      if (turn + 1 >= Math.min(LATE, this.pauses.length)) session.ratings = { ...session.ratings, pending: "late" };
      this.#askIn(turn + 1);
    }
    session.listener.onChange();
  }
}

/** Null where there is none: no connection, or a watcher who may not know of the end yet. */
async function answerOf(url) {
  try {
    const answer = await fetch(url, { headers: { Accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
