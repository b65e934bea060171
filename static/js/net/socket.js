/**
 * One lasting line to the server: it connects, notices when the line is dead, and connects again.
 *
 * A WebSocket may look open long after its line is gone. The server sends something every 2.5 s, so six seconds of
 * silence mean that it is dead (docs/protocol.md).
 */

const SILENCE_MS = 6000;
const WATCH_MS = 500;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5000;
/** Waiting for a connection to open. */
const OPEN_MS = 8000;

/**
 * @typedef {"connecting"|"open"|"reconnecting"|"closed"} Line
 *
 * @typedef {object} SocketOptions
 * @property {(message: any) => void} onMessage one message of the server; pings are answered here
 * @property {(line: Line) => void} onLine the state of the line changed
 * @property {(code: string) => boolean} [isFinal] whether a `closing` code means that there is no use in coming back
 * @property {(url: string) => WebSocket} [open]
 * @property {number} [silence] ms without a word after which the line is dead, where the server says less
 */

/**
 * The line to that address that net/early.js has begun: once, and while it can be used. From then on it comes too late.
 *
 * @param {string} url
 * @returns {{socket: WebSocket, said: [string, number][]}|null}
 */
function takeEarly(url) {
  const early = window.earlyLine;
  if (early && early.socket.url !== url) return null;
  window.earlyLine = null;
  return early?.socket.readyState <= WebSocket.OPEN ? early : null;
}

export class LiveSocket {
  /** @param {string} url @param {SocketOptions} options */
  constructor(url, { onMessage, onLine, isFinal = () => false, open = (address) => new WebSocket(address), silence = SILENCE_MS }) {
    this.url = url;
    this.onMessage = onMessage;
    this.onLine = onLine;
    this.isFinal = isFinal;
    this.open = open;
    this.silence = silence;
    /** @type {Line} */
    this.line = "connecting";
    /** @type {WebSocket|null} */
    this.socket = null;
    this.attempt = 0;
    this.heardAt = 0;
    this.retryTimer = 0;
    this.listeners = new AbortController();
  }

  start() {
    const { signal } = this.listeners;
    addEventListener("online", () => this.#retryNow(), { signal });
    addEventListener("offline", () => this.#lost(), { signal });
    // A page that was frozen hears nothing; look at once when it is back.
    document.addEventListener("visibilitychange", () => this.#watch(), { signal });
    addEventListener("pageshow", () => this.#watch(), { signal });
    this.watchTimer = setInterval(() => this.#watch(), WATCH_MS);
    this.#connect();
    return this;
  }

  get isOpen() {
    return this.line === "open";
  }

  /** Send a message now. @param {object} message @returns {boolean} whether there was a line to send it on */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Hang up and connect anew: who is at this end has another name now. */
  again() {
    if (this.line === "closed") return;
    this.attempt = 0;
    this.#connect();
  }

  /** Hang up for good. */
  close() {
    this.listeners.abort();
    clearInterval(this.watchTimer);
    clearTimeout(this.retryTimer);
    this.#drop();
    this.#become("closed");
  }

  #connect() {
    clearTimeout(this.retryTimer);
    this.#drop();
    this.heardAt = performance.now();
    const early = takeEarly(this.url);
    const socket = (this.socket = early?.socket ?? this.open(this.url));
    const opened = () => {
      this.heardAt = performance.now();
      this.#become("open");
    };
    const heard = ({ data }, waited = 0) => {
      this.heardAt = performance.now() - waited;
      const message = JSON.parse(data);
      if (message.t === "ping") {
        this.send({ t: "pong", n: message.n });
        return;
      }
      // Being sent away is no success: a full server must not be asked again at once.
      if (message.t !== "closing") this.attempt = 0;
      // The match's clock has gone on meanwhile.
      if (waited && message.now !== undefined) message.now += waited;
      this.onMessage(message);
      if (message.t === "closing" && this.isFinal(message.code)) this.close();
    };
    socket.onopen = opened;
    socket.onmessage = heard;
    socket.onclose = () => this.#lost();
    if (!early) return;
    if (socket.readyState === WebSocket.OPEN) opened();
    for (const [data, at] of early.said) {
      // What it has said may have been that there is nobody to talk to.
      if (this.socket === socket) heard({ data }, performance.now() - at);
    }
  }

  /** The line is gone: try again soon, each time a little later, and not all at the same moment. */
  #lost() {
    if (this.line === "closed") return;
    this.#drop();
    this.#become("reconnecting");
    clearTimeout(this.retryTimer);
    const longest = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.attempt);
    this.attempt += 1;
    this.retryTimer = setTimeout(() => this.#connect(), longest * (0.5 + Math.random() / 2));
  }

  #retryNow() {
    if (this.line !== "reconnecting") return;
    this.attempt = 0;
    this.#connect();
  }

  #watch() {
    if (!this.socket) return;
    const silence = performance.now() - this.heardAt;
    if (silence > (this.socket.readyState === WebSocket.CONNECTING ? OPEN_MS : this.silence)) this.#lost();
  }

  /** Let go of the socket without waiting for a close that a dead line never answers. */
  #drop() {
    const socket = this.socket;
    if (!socket) return;
    this.socket = null;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #become(line) {
    if (line === this.line) return;
    this.line = line;
    this.onLine(line);
  }
}
