/**
 * A match on a board, for somebody who only looks: the line, what was seen so far, the moment that is shown. Pages put
 * their own things around it.
 */

import { socketUrl } from "../net/address.js";
import { LiveSocket } from "../net/socket.js";
import { Player } from "../replay/player.js";
import { createBoard } from "../table/board.js";
import { Hub } from "../table/hub.js";
import { plateFacts } from "../table/plates.js";
import { promptOf } from "../table/prompt.js";
import { Session } from "../table/session.js";
import { countdown } from "../table/words.js";
import { format, gettext } from "../text.js";
import { Past } from "./past.js";

/** After these there is no use in coming back. */
const FINAL = new Set(["no_such_match", "bad_message"]);

/**
 * @typedef {object} ShowListener
 * @property {(show: Show) => void} [onChange] something has changed, on the line or on the table
 * @property {(events: import("../table/reducer.js").TableEvent[], show: Show) => void} [onEvents] it happened just now
 * @property {(message: any) => void} [onChat]
 * @property {() => void} [onOpen] the line is open, for the first time or again
 */

export class Show {
  /**
   * @param {HTMLElement} root an element with a size, which the board fills
   * @param {string} path of the match's socket
   * @param {ShowListener} [listener]
   * @param {{bottom?: 0|1}} [options]
   */
  constructor(root, path, listener = {}, { bottom = 0 } = {}) {
    this.root = root;
    this.listener = listener;
    this.bottom = bottom;
    /** Whether the latest moment is shown, whatever comes. */
    this.isLive = true;
    /** @type {import("../table/board.js").Board|null} */
    this.board = null;
    this.past = new Past();
    this.player = new Player(/** @type {any} */ (this.past));
    this.player.listen((player, { cause }) => {
      if (cause !== "settings") this.isLive = player.index === this.past.length && player.ms >= this.past.end;
      this.#draw(cause === "step" || cause === "play");
    });
    this.socket = new LiveSocket(socketUrl(path), {
      onMessage: (message) => this.#receive(message),
      onLine: (line) => {
        if (line === "open") listener.onOpen?.();
        this.session.setLine(line);
      },
      isFinal: (code) => FINAL.has(code),
    });
    this.session = new Session(this.socket, {
      onChange: () => this.#draw(true),
      onEvents: (events) => {
        if (this.isLive) listener.onEvents?.(events, this);
      },
      onRefused: () => {},
    });
    this.ticking = setInterval(() => this.#tick(), 500);
  }

  start() {
    this.socket.start();
    return this;
  }

  /** Nobody looks any more. */
  close() {
    clearInterval(this.ticking);
    this.player.pause();
    this.hub?.destroy();
    this.socket.close();
    this.root.replaceChildren();
  }

  /** The moment that is shown. @returns {import("../table/reducer.js").View|undefined} */
  get view() {
    return this.isLive ? this.past.last : this.past.views[this.player.index];
  }

  get isOver() {
    return this.past.last?.status.phase === "over";
  }

  /** Turn the table. */
  flip() {
    this.bottom = this.bottom ? 0 : 1;
    this.board?.setBottom(/** @type {0|1} */ (this.bottom));
  }

  /** Show again what happens now. */
  goLive() {
    this.player.pause();
    this.player.go(this.past.at(this.past.length));
  }

  /** Stay at the moment that is shown. */
  hold() {
    this.isLive = false;
    this.player.pause();
    this.player.go(this.past.at(this.past.length), "settings");
  }

  #receive(message) {
    if (message.t === "chat") {
      this.listener.onChat?.(message);
      return;
    }
    const { session, past } = this;
    if (message.t === "state") {
      if (message.you !== null) {
        // Signed in elsewhere in the meantime: the seat is at the table's own page.
        location.reload();
        return;
      }
      if (past.take(message.view)) this.isLive = true;
    } else if (message.t === "events" && session.view) {
      const next = session.view.seq + 1;
      if (message.seq <= next) past.add(message.events.slice(next - message.seq));
    }
    session.receive(message);
  }

  #draw(animate = false) {
    const { session, past } = this;
    if (session.view && past.last) {
      if (!this.board) this.#setUp();
      if (this.isLive && !this.player.playing) {
        this.player.index = past.length;
        this.player.ms = past.end;
      }
      const view = /** @type {import("../table/reducer.js").View} */ (this.view);
      this.board.render(view, { animate });
      this.root.dataset.live = String(this.isLive);
      this.#showPlates();
      const prompt = this.isLive ? promptOf(session, view) : pastPrompt(past, this.player);
      this.hub.show({ ...prompt, action: null });
      this.board.setHint(prompt.say ?? "");
      this.board.mark({ glow: prompt.glow ?? [], overlooked: prompt.overlooked ?? [] });
    }
    this.listener.onChange?.(this);
  }

  #showPlates() {
    const view = this.view;
    for (const seat of /** @type {const} */ ([0, 1])) {
      const facts = plateFacts(this.session, view, seat);
      // Who is here now says nothing about a moment of the past.
      this.board.setPlate(seat, this.isLive ? facts : { ...facts, here: null, lag: null });
    }
  }

  #setUp() {
    this.board = createBoard(this.root, {
      match: this.session.match,
      bottom: /** @type {0|1} */ (this.bottom),
      interactive: false,
    });
    this.hub = new Hub(this.board.hub, { clock: this.session.clock });
  }

  /** The absence of a seat is counted down on its plate. */
  #tick() {
    if (this.board && this.isLive && this.session.presence.seats.some((seat) => seat.away_due !== null)) this.#showPlates();
  }
}

/** What the middle says while one looks back. */
function pastPrompt(past, player) {
  const ago = Math.max(0, past.end - player.ms) / 1000;
  return {
    kind: /** @type {const} */ ("words"),
    title: countdown(player.ms),
    label: format(gettext("%(seconds)s s ago"), { seconds: ago.toFixed(1) }),
  };
}
