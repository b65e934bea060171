/**
 * The headless half of the table: what the server said, what was sent, what is to be seen. It knows no DOM.
 *
 * Events come numbered without a gap; one that is missing means that the state has to be asked for (resync). After a
 * state everything unanswered is sent again under its old id, which has one effect at most.
 */

import { ServerClock } from "../net/clock.js";
import { Pending } from "./pending.js";
import { apply } from "./reducer.js";

/** A table is there in a second; on a poor line in a few. */
const LATE_MS = 8000;

/**
 * @typedef {import("./reducer.js").View} View
 * @typedef {import("./reducer.js").TableEvent} TableEvent
 *
 * @typedef {object} Ratings what the match did to them (`games.ratings.told`)
 * @property {boolean|"late"} pending not known yet; "late": and no more asked for
 * @property {({rating: number, provisional: boolean, gain: string}|null)[]} seats
 *
 * @typedef {object} Listener
 * @property {() => void} onChange something to be seen has changed
 * @property {(events: TableEvent[]) => void} onEvents these events happened, in the view already
 * @property {(sent: import("./pending.js").Sent, refusal: {code: string, by?: 0|1, late?: number}) => void} onRefused
 * @property {(url: string) => void} [onRematch] the rematch begins there, and this page has waited for it
 */

export class Session {
  /**
   * @param {{send: (message: object) => boolean}} wire
   * @param {Listener} listener
   * @param {ServerClock} [clock]
   */
  constructor(wire, listener, clock = new ServerClock()) {
    this.wire = wire;
    this.listener = listener;
    this.clock = clock;
    /** @type {import("../net/socket.js").Line} */
    this.line = "connecting";
    this.isWaiting = false;
    /** The server's view. @type {View|null} */
    this.view = null;
    /** @type {any} */
    this.match = null;
    /** @type {0|1|null} */
    this.you = null;
    this.presence = { seats: [], watchers: 0 };
    this.rematch = { offered_by: null, url: null };
    /** Which seats were left because of a ban; null: nobody has asked yet. @type {boolean[]|null} */
    this.barred = null;
    /** @type {Ratings} */
    this.ratings = { pending: true, seats: [null, null] };
    /** Whether the server can write nothing at the moment: the match stands still. */
    this.isInTrouble = false;
    /** Why the server hung up (docs/protocol.md), until it sends a state again; empty where it said nothing. */
    this.closing = "";
    /** Whether a rematch that begins now is news here: the end was seen, or there was an offer. */
    this.awaitsRematch = false;
    /** When the seat on warning loses, ms of the match clock (G8). @type {number|null} */
    this.warnedDue = null;
    this.pending = new Pending();
    this.isSynced = false;
    /** Whether the first state is so long in coming that something must be in its way. */
    this.isLate = false;
  }

  /** Where live lines are blocked nothing comes and nothing fails: after a while it is to be said. @param {number} [ms] */
  expectSoon(ms = LATE_MS) {
    setTimeout(() => {
      if (this.view || this.isWaiting) return;
      this.isLate = true;
      this.listener.onChange();
    }, ms);
  }

  /** Whether a command can be given now: seated, and the line is up to date. */
  get canAct() {
    return this.line === "open" && this.isSynced && this.you !== null;
  }

  /** What is to be seen: the server's view and what is on its way. */
  get shown() {
    return this.pending.overlay(this.match, this.view, this.you);
  }

  /**
   * Give a command; it is sent now, and again after a break until it is answered.
   * @param {{t: string} & Record<string, unknown>} command without `id`
   * @param {string} [from] the place that it is about, for saying there what became of it
   * @returns {boolean} whether it was given
   */
  command(command, from) {
    if (!this.canAct) return false;
    if (command.t === "rematch") this.awaitsRematch = true;
    const id = newId();
    this.pending.add({ id, message: { ...command, id }, at: performance.now(), from });
    this.wire.send({ ...command, id });
    this.listener.onChange();
    return true;
  }

  /** @param {import("../net/socket.js").Line} line */
  setLine(line) {
    this.line = line;
    if (line !== "open") this.isSynced = false;
    this.listener.onChange();
  }

  /** Take a message of the server. @param {any} message */
  receive(message) {
    switch (message.t) {
      case "state":
        this.#takeState(message);
        break;
      case "events":
        this.#takeEvents(message);
        break;
      case "ack":
        this.pending.settle(message.id);
        break;
      case "refused": {
        const sent = this.pending.settle(message.id);
        if (sent?.message.t === "rematch" && message.code === "gone") this.rematch = { offered_by: null, url: null, isGone: true };
        this.listener.onChange();
        if (sent) this.listener.onRefused(sent, message);
        return;
      }
      case "presence":
        this.presence = { seats: message.seats, watchers: message.watchers, named: message.named };
        break;
      case "trouble":
        this.isInTrouble = message.on;
        if (message.on) this.clock.stop();
        else this.clock.goOn(); // A state follows, and sets it.
        break;
      case "rematch": {
        this.rematch = { offered_by: message.offered_by, url: message.url };
        this.listener.onChange();
        if (message.url === null) this.awaitsRematch = true;
        else if (this.awaitsRematch) this.listener.onRematch?.(message.url);
        return;
      }
      case "waiting":
        this.isWaiting = true;
        break;
      case "closing":
        this.closing = message.code;
        // The match goes on where it stood.
        if (message.code === "restart") this.clock.stop();
        break;
      default:
        return;
    }
    this.listener.onChange();
  }

  #takeState({ view, match, you, presence, now }) {
    this.clock.reset();
    this.clock.sample(now);
    this.isWaiting = false;
    this.match = match;
    this.you = you;
    if (presence) this.presence = presence;
    if (this.view) this.#noteEnd(view);
    this.view = view;
    this.#noteWarning(view.at);
    const isOnNewLine = !this.isSynced;
    this.isSynced = true;
    if (isOnNewLine) this.isInTrouble = false;
    if (this.isInTrouble) this.clock.stop();
    this.closing = "";
    // Also on the same line: what the state stands for (a backlog, another server's last words) may have held an answer.
    for (const message of this.pending.messages) this.wire.send(message);
    if (isOnNewLine) this.#offerAgain();
  }

  /** A server that was started anew knows of no offer: whoever made one makes it again. If there is one, it follows. */
  #offerAgain() {
    const { offered_by, url, isGone } = this.rematch;
    if (offered_by === null || url || isGone) return;
    this.rematch = { offered_by: null, url: null };
    if (offered_by === this.you && !this.pending.has("rematch")) this.command({ t: "rematch" });
  }

  #takeEvents({ seq, now, events }) {
    this.clock.sample(now);
    if (!this.view) return;
    const next = this.view.seq + 1;
    if (seq > next) {
      // A gap. What is shown stays as it is until the state comes.
      this.wire.send({ t: "resync" });
      return;
    }
    const fresh = events.slice(next - seq);
    if (!fresh.length) return;
    const refused = [];
    let view = this.view;
    for (const event of fresh) {
      view = apply(view, event);
      const sent = this.pending.settle(event.command);
      // A lost race is in the log (G4): the event is the refusal, whichever of the two comes first.
      if (sent && event.kind === "missed") refused.push([sent, { code: "pile_changed", by: event.by, late: event.late }]);
    }
    this.#noteEnd(view);
    this.view = view;
    this.#noteWarning(view.at);
    this.listener.onChange();
    this.listener.onEvents(fresh);
    for (const [sent, refusal] of refused) this.listener.onRefused(sent, refusal);
  }

  /** The end came while this page was looking. @param {View} next */
  #noteEnd(next) {
    if (this.view.status.phase !== "over" && next.status.phase === "over") this.awaitsRematch = true;
  }

  #noteWarning(at) {
    const { status, warned } = this.view;
    const { inactive, warning } = this.match.pace;
    if (warned === undefined) this.warnedDue = null;
    else if (status.phase === "ready" || status.phase === "stuck") this.warnedDue = status.since + inactive;
    else this.warnedDue ??= at + inactive - warning;
  }
}

/** An id for a command. Not `randomUUID`, which a page on plain http in a local network does not have. */
function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
