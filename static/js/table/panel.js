/**
 * What is said when there is nothing to play: waiting for an opponent, between two games, the end. It lies over an empty table,
 * and beside one with cards, so that the last position stays to be seen.
 */

import { format, gettext } from "../text.js";
import { endText, gameText, isSeries, lengthLine, nameOf, ratingsLine, shortName } from "./words.js";

export class Panel {
  /**
   * @param {HTMLElement} root
   * @param {{replay: string, home: string, share: string, qr?: string, withdraw?: HTMLFormElement|null, report?: string, decisions?: string, rematch: () => void, another?: (() => void)|null}} page
   */
  constructor(root, page) {
    this.root = root;
    // It can be given the focus that something else has lost.
    root.tabIndex = -1;
    this.page = page;
    this.shown = "";
  }

  /** @param {import("./session.js").Session} session */
  show(session) {
    const content = this.#content(session);
    const key = JSON.stringify(content?.key ?? null);
    if (key === this.shown) return;
    // A panel that only changes keeps the place of the focus.
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.shown = key;
    this.root.hidden = !content;
    this.root.parentElement?.setAttribute("data-panel", !content ? "none" : session.view && !session.isWaiting ? "beside" : "over");
    this.root.replaceChildren(...(content ? content.draw() : []));
    // Where what had it is gone, it stays in the panel: else it would fall to the page.
    if (focused) (this.root.querySelector(`[data-action="${focused}"]`) ?? this.root).focus();
  }

  #content(session) {
    if (session.isWaiting) return { key: ["waiting"], draw: () => this.#waiting() };
    if (!session.view) return session.isLate && session.line !== "closed" ? { key: ["late"], draw: () => this.#late() } : null;
    const { phase, game } = session.view.status;
    if (isBetweenGames(session)) return { key: ["between", game], draw: () => this.#between(session) };
    if (phase !== "over") return null;
    const { rematch } = session;
    return { key: ["over", rematch, session.pending.has("rematch"), session.canAct, session.ratings, session.barred, hasLeft(session)], draw: () => this.#over(session) };
  }

  #waiting() {
    const { share, qr, withdraw } = this.page;
    const link = element("input", { className: "panel-link", value: share, readOnly: true });
    link.setAttribute("aria-label", gettext("The link to this match"));
    link.addEventListener("focus", () => link.select());
    const copy = button(gettext("Copy the link"), "copy", async () => {
      copy.textContent = (await copyText(link)) ? gettext("Copied") : gettext("Press Ctrl C");
    });
    copy.classList.add("button-go");
    const row = element("div", { className: "panel-row" }, link, copy);
    const parts = [
      element("h2", { textContent: gettext("Waiting for an opponent") }),
      element("p", { textContent: gettext("Send this link to a friend. Whoever opens it first sits down.") }),
      row,
    ];
    if (qr) {
      const alt = gettext("The link as a QR code, for the camera of a phone");
      parts.push(element("img", { className: "panel-qr", src: qr, width: 148, height: 148, alt }));
    }
    if (navigator.share) {
      const send = button(gettext("Send it"), "share", () => {
        // Closing the sheet again is no error.
        navigator.share({ title: document.title, url: share }).catch(() => {});
      });
      parts.push(send);
    }
    if (withdraw) {
      // The page brings the form, which knows where to and has its token.
      withdraw.hidden = false;
      parts.push(withdraw);
    }
    return parts;
  }

  /** No state has come. */
  #late() {
    const why = gettext(
      "The live connection does not come about. Some networks, as at schools and offices, let none through; another network may help. The page goes on trying.",
    );
    const reload = button(gettext("Reload"), "reload", () => location.reload());
    reload.classList.add("button-go");
    return [
      element("h2", { textContent: gettext("No connection to the table") }),
      element("p", { textContent: why }),
      element("div", { className: "panel-row" }, reload, link(gettext("Home"), this.page.home)),
    ];
  }

  /** A game of a series is over, and the next one is dealt. */
  #between(session) {
    const { match, you, view } = session;
    const { title, text } = gameText(match, view.status, you);
    this.root.dataset.tone = "plain";
    const { best_of: count, target } = match.options;
    const aim = target
      ? format(gettext("The first with %(target)s points wins the match"), { target })
      : format(gettext("Best of %(count)s"), { count });
    // The button to go on is where it always is, in the middle of the table.
    return [
      element("h2", { textContent: title }),
      element("p", { textContent: text }),
      scoreBoard(match, view.status.score, you),
      element("p", { className: "panel-dim", textContent: aim }),
    ];
  }

  #over(session) {
    const { match, you, view, rematch } = session;
    const { title, text: how, tone } = endText(match, view.status, you);
    this.root.dataset.tone = tone;
    const barred = barredSeat(session);
    const amBarred = barred !== null && barred === you;
    const text = barred === null ? how : barredText(session, barred);
    const isCounted = match.rated && tone !== "void";
    const length = lengthLine(match, view);
    const parts = [
      element("h2", { className: "panel-title", textContent: title }),
      element("p", { textContent: text }),
      ...(isSeries(match) && view.status.score.some(Boolean) ? [scoreBoard(match, view.status.score, you)] : []),
      isCounted
        ? element("p", { className: "panel-dim panel-counted" }, element("span", { textContent: `${length} · ` }), ratingsLine(session))
        : element("p", { className: "panel-dim", textContent: length }),
    ];
    const row = element("div", { className: "panel-row" });
    if (rematch.url) {
      row.append(link(you === null ? gettext("Watch the rematch") : gettext("To the rematch"), rematch.url, "button-go"));
    } else if (amBarred) {
      row.append(link(gettext("See why"), this.page.decisions));
    } else if (barred !== null) {
      // There is nobody for a rematch; that is said already.
    } else if (rematch.isGone) {
      parts.push(element("p", { textContent: gettext("Your opponent is gone: there can be no rematch.") }));
    } else if (you !== null) {
      const mine = rematch.offered_by === you || session.pending.has("rematch");
      const theirs = rematch.offered_by === 1 - you;
      const label = theirs ? gettext("Accept the rematch") : mine ? gettext("Rematch offered") : gettext("Rematch");
      const again = button(label, "rematch", this.page.rematch);
      again.classList.add("button-go");
      // Not `disabled`: pressed, it keeps the focus.
      again.ariaDisabled = String(mine || !session.canAct);
      row.append(again);
      // Who has offered one and gone may well come back; but nobody should wait for that without knowing.
      const left = hasLeft(session) && gettext("%(name)s has left the table.");
      const words = left || (theirs && gettext("%(name)s wants a rematch."));
      if (words) parts.push(element("p", { textContent: format(words, { name: shortName(match, 1 - you) }) }));
    }
    if (this.page.another && you !== null && !amBarred) row.append(this.#another(session, parts));
    if (row.children.length) parts.push(row);
    // Where one may go from here, apart from whom one plays with: on a phone none of it stands alone on a line.
    const ways = element("div", { className: "panel-row" }, link(gettext("Replay"), this.page.replay), link(gettext("Home"), this.page.home));
    if (this.page.report) ways.append(link(gettext("Report a player"), this.page.report, "button-quiet"));
    parts.push(ways);
    return parts;
  }

  /** Quick pairing led here: it finds somebody else for the same. Without a line there is no page that could look. */
  #another(session, parts) {
    const { canAct } = session;
    const another = button(gettext("New opponent"), "another", () => session.canAct && this.page.another());
    if (canAct) return another;
    another.setAttribute("aria-disabled", "true");
    parts.push(element("p", { textContent: gettext("The connection is lost: a new opponent can be looked for once it is back.") }));
    return another;
  }
}

/** The seat that was left because of a ban; -1 as long as that is not known of one that was left. */
function barredSeat({ barred, view, you }) {
  if (you === null) return null;
  if (!barred) return view.status.result.cause === "left" ? -1 : null;
  if (barred[you]) return you;
  return barred[1 - you] ? 1 - you : null;
}

function barredText({ match, you }, seat) {
  if (seat < 0) return "";
  return seat === you ? gettext("You cannot play on.") : format(gettext("%(name)s cannot play on."), { name: nameOf(match, seat) });
}

/** Whether the other player's page is closed, or shows something else. @param {import("./session.js").Session} session */
const hasLeft = ({ match, you, presence }) => you !== null && !match.seats[1 - you].bot && presence.seats[1 - you]?.here === false;

/** Whether there is a game to look back on, and nothing to hurry for yet. */
function isBetweenGames({ view, shown, you }) {
  const { phase, last, round, first_round: first } = view.status;
  if (phase !== "ready" || !last || round !== first || view.warned !== undefined) return false;
  return you === null || !shown.view.status.ready[you];
}

/** The score of a series, the own seat (or the one below) on the right. */
function scoreBoard(match, score, you) {
  const bottom = you ?? 0;
  const side = (seat) => {
    const name = element("span", { className: "score-name", textContent: nameOf(match, seat) });
    const count = element("b", { textContent: String(score[seat]) });
    return element("span", { className: `score-side score-${seat === bottom ? "below" : "above"}` }, name, count);
  };
  return element("p", { className: "score" }, side(1 - bottom), side(bottom));
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function button(text, action, onClick) {
  const made = element("button", { type: "button", className: "button", textContent: text });
  made.dataset.action = action;
  made.addEventListener("click", () => made.ariaDisabled !== "true" && onClick());
  return made;
}

function link(text, href, className = "") {
  const made = element("a", { className: `button ${className}`, textContent: text, href });
  made.dataset.action = href;
  return made;
}

/** Copy the link; on a page without a secure origin the clipboard is reached the old way. */
async function copyText(input) {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.select();
    return document.execCommand("copy");
  }
}
