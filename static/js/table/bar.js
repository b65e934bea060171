/** The bar below the table: the line, the round, who watches. The only writer of its texts. */

import { put, putAttribute } from "../put.js";
import { format, gettext, ngettext } from "../text.js";
import { SLOW_MS } from "./plate.js";
import { lineWord, stageLine } from "./words.js";

export class Bar {
  /** @param {HTMLElement} root */
  constructor(root) {
    const part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.root = root;
    this.line = part("line");
    this.lag = part("lag");
    this.round = part("round");
    this.watchers = part("watchers");
    this.watchersBox = part("watchers-box");
    this.resign = part("resign");
    this.turn = part("turn");
  }

  /** @param {import("./session.js").Session} session */
  show(session) {
    const { view, you, presence } = session;
    const isOver = view?.status.phase === "over";
    this.root.dataset.line = isOver && session.line === "open" ? "over" : session.line;
    const isUp = session.line === "open";
    put(this.line, isUp && isOver ? gettext("over") : isUp && session.isWaiting ? gettext("waiting") : lineWord(session.line));
    // The own lag, as the server measures it.
    const lag = you === null || !isUp ? null : (presence.seats[you]?.lag ?? null);
    put(this.lag, lag === null ? "" : format(gettext("%(ms)s ms"), { ms: lag }));
    this.root.dataset.lag = lag !== null && lag >= SLOW_MS ? "slow" : "fine";
    put(this.round, view ? stageLine(session.match, view) : "");
    const count = presence.watchers;
    put(this.watchers, String(count));
    this.watchersBox.hidden = !view;
    putAttribute(this.watchersBox, "title", format(ngettext("%(count)s watches", "%(count)s watch", count), { count }));
    this.resign.hidden = you === null || !view || isOver;
    putAttribute(this.resign, "aria-disabled", String(!session.canAct));
    this.turn.hidden = you !== null || !view;
  }
}
