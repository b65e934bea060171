/** The line and the clock. */

import { ServerClock } from "../../static/js/net/clock.js";
import { LiveSocket } from "../../static/js/net/socket.js";
import { equal, ok, test, until } from "./harness.js";

class FakeWire {
  static all = [];
  constructor() {
    this.readyState = WebSocket.CONNECTING;
    this.sent = [];
    FakeWire.all.push(this);
  }
  open() {
    this.readyState = WebSocket.OPEN;
    this.onopen();
  }
  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = WebSocket.CLOSED;
  }
}

function lineOf(options = {}) {
  FakeWire.all = [];
  const lines = [];
  const messages = [];
  const socket = new LiveSocket("ws://x.test/", {
    onLine: (line) => lines.push(line),
    onMessage: (message) => messages.push(message),
    open: () => new FakeWire(),
    ...options,
  }).start();
  return { socket, lines, messages };
}

test("a ping is answered at once and not passed on", () => {
  const { socket, messages } = lineOf();
  FakeWire.all[0].open();
  FakeWire.all[0].say({ t: "ping", n: 7 });
  equal(FakeWire.all[0].sent, [{ t: "pong", n: 7 }]);
  equal(messages, []);
  socket.close();
});

test("a line that was begun before is taken over, with what it has said", () => {
  const early = new FakeWire();
  early.url = "ws://x.test/";
  early.readyState = WebSocket.OPEN;
  const cameAt = performance.now() - 400;
  window.earlyLine = { socket: early, said: [['{"t":"state","now":100}', cameAt], ['{"t":"events"}', cameAt]] };
  const { socket, lines, messages } = lineOf();
  equal(FakeWire.all, []);
  equal(lines, ["open"]);
  equal(messages.map(({ t }) => t), ["state", "events"]);
  ok(messages[0].now >= 500 && messages[0].now < 1500, "what time it is was said 400 ms ago");
  early.say({ t: "events" });
  equal(messages.length, 3);
  socket.close();
  const next = lineOf();
  equal(FakeWire.all.length, 1);
  next.socket.close();
});

test("a line that was begun before is of no use when it is gone, and another's is left alone", () => {
  for (const [url, readyState] of [["ws://y.test/", WebSocket.OPEN], ["ws://x.test/", WebSocket.CLOSED]]) {
    const early = { socket: { url, readyState }, said: [['{"t":"state"}', 0]] };
    window.earlyLine = early;
    const { socket, messages } = lineOf();
    equal(FakeWire.all.length, 1);
    equal(messages, []);
    ok(window.earlyLine === (readyState === WebSocket.OPEN ? early : null));
    socket.close();
  }
  window.earlyLine = null;
});

test("a line that breaks is taken up again, and an old one says nothing any more", async () => {
  const { socket, lines, messages } = lineOf();
  const first = FakeWire.all[0];
  first.open();
  const late = first.onmessage;
  first.onclose();
  await until(() => FakeWire.all.length === 2, "a second line");
  FakeWire.all[1].open();
  equal(lines, ["open", "reconnecting", "open"]);
  ok(first.onmessage === null && late, "the old line is let go");
  FakeWire.all[1].say({ t: "state" });
  equal(messages.length, 1);
  socket.close();
});

test("offline is believed at once, online tried at once", async () => {
  const { socket, lines } = lineOf();
  FakeWire.all[0].open();
  dispatchEvent(new Event("offline"));
  equal(lines.at(-1), "reconnecting");
  dispatchEvent(new Event("online"));
  equal(FakeWire.all.length, 2);
  socket.close();
});

test("after a last word nobody comes back", async () => {
  const { socket, lines } = lineOf({ isFinal: (code) => code === "no_such_match" });
  FakeWire.all[0].open();
  FakeWire.all[0].say({ t: "closing", code: "no_such_match", text: "" });
  equal(lines.at(-1), "closed");
  ok(!socket.send({ t: "resync" }));
});

test("the clock believes the message that travelled fastest", () => {
  let local = 1000;
  const clock = new ServerClock(() => local);
  clock.sample(500);
  equal(clock.now(), 500);
  local = 1100;
  clock.sample(560); // 40 ms slower on its way
  equal(clock.now(), 600);
  local = 1200;
  clock.sample(720); // faster than the first
  equal(clock.now(), 720);
});
