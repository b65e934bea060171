/** The headless half of the table: order, gaps, what is on its way, what is sent again. */

import { ServerClock } from "../../static/js/net/clock.js";
import { Session } from "../../static/js/table/session.js";
import { lineText } from "../../static/js/table/words.js";
import { equal, ok, test, until } from "./harness.js";
import { stateOf, viewOf } from "./samples.js";

function seated(state = stateOf(), clock = undefined) {
  const sent = [];
  const refused = [];
  const told = [];
  const gone = [];
  const session = new Session(
    { send: (message) => sent.push(message) },
    {
      onChange: () => {},
      onEvents: (events) => told.push(...events.map((event) => event.kind)),
      onRefused: ({ message }, refusal) => refused.push([message.card, refusal.code, refusal.late]),
      onRematch: (url) => gone.push(url),
    },
    clock,
  );
  session.setLine("open");
  session.receive(state);
  return { session, sent, refused, told, gone };
}

const play = { t: "play", round: 3, card: "7d", to: "centre.0" };
const played = (command, card = "7d", from = "0.stockpile.1", seat = 0) => ({
  kind: "played", at: 60100, seat, moves: [[card, from, "centre.0"]], command,
});
const top = (view, place) => view.places[place].at(-1);

test("a play is shown at once and is certain when its event comes", () => {
  const { session, sent } = seated();
  ok(session.command(play, "0.stockpile.1"));
  equal(sent.length, 1);
  equal(top(session.shown.view, "centre.0"), "7d");
  equal(session.shown.places, ["centre.0"]);
  equal(top(session.view, "centre.0"), "8h", "the server's view");
  session.receive({ t: "events", seq: 31, now: 60120, events: [played(sent[0].id)] });
  equal(top(session.shown.view, "centre.0"), "7d");
  equal(session.shown.places, []);
});

test("a refused play goes back, with its reason", () => {
  const { session, sent, refused } = seated();
  session.command(play);
  session.receive({ t: "refused", id: sent[0].id, code: "pile_changed", by: 1, late: 23 });
  equal(top(session.shown.view, "centre.0"), "8h");
  equal(refused, [["7d", "pile_changed", 23]]);
});

test("a lost race in the log is its refusal, said once whichever comes first", () => {
  const { session, sent, refused } = seated();
  session.command(play);
  const missed = { kind: "missed", at: 60110, seat: 0, pile: "centre.0", card: "7d", by: 1, late: 9, command: sent[0].id };
  session.receive({ t: "events", seq: 31, now: 60120, events: [played(undefined, "9c", "1.stockpile.1", 1), missed] });
  session.receive({ t: "refused", id: sent[0].id, code: "pile_changed", by: 1, late: 9 });
  equal(refused, [["7d", "pile_changed", 9]]);
});

test("what no longer fits is not shown as played, even before it is refused", () => {
  const { session } = seated();
  session.command(play);
  session.receive({ t: "events", seq: 31, now: 60120, events: [played(undefined, "9c", "1.stockpile.1", 1)] });
  equal(top(session.shown.view, "centre.0"), "9c");
  equal(top(session.shown.view, "0.stockpile.1"), "7d");
});

test("a gap asks for the state and steps nowhere", () => {
  const { session, sent, told } = seated();
  session.receive({ t: "events", seq: 33, now: 60120, events: [played()] });
  equal(sent, [{ t: "resync" }]);
  equal(session.view.seq, 30);
  session.receive(stateOf({ ...viewOf(), seq: 33 }));
  equal(session.view.seq, 33);
  equal(told, []);
});

test("events that are known already are passed over", () => {
  const { session, told } = seated();
  const both = [played("x"), { kind: "stuck", at: 60200, status: { ...viewOf().status, phase: "stuck" } }];
  session.receive({ t: "events", seq: 31, now: 60120, events: both.slice(0, 1) });
  session.receive({ t: "events", seq: 31, now: 60220, events: both });
  equal(session.view.seq, 32);
  equal(told, ["played", "stuck"]);
});

test("a state on the same line may stand for an answer: what is open is sent again", () => {
  const { session, sent } = seated();
  ok(session.command(play, "0.stockpile.1"));
  session.receive(stateOf());
  equal(sent.length, 2);
  equal(sent[1], sent[0]);
  session.receive({ t: "ack", id: sent[0].id, seq: 31 });
  session.receive(stateOf());
  equal(sent.length, 2);
});

test("without a line nothing can be done; afterwards the same id is sent again", () => {
  const { session, sent } = seated();
  session.command(play);
  session.setLine("reconnecting");
  ok(!session.command({ t: "spit", round: 3 }), "nothing is taken while the line is gone");
  equal(top(session.shown.view, "centre.0"), "7d", "what is on its way stays shown");
  session.setLine("open");
  ok(!session.canAct, "not before the state has come");
  equal(sent.length, 1);
  session.receive(stateOf());
  equal(sent.length, 2);
  equal(sent[0], sent[1]);
  session.receive({ t: "ack", id: sent[0].id, seq: 30 });
  equal(session.shown.places, []);
});

test("a play for a round that is gone is not shown in the next one", () => {
  const { session } = seated();
  session.command(play);
  session.setLine("reconnecting");
  session.setLine("open");
  session.receive(stateOf(viewOf({ round: 4 })));
  equal(top(session.shown.view, "centre.0"), "8h");
});

test("ready is seen at once, and taken as said once", () => {
  const { session } = seated(stateOf(viewOf({ phase: "ready" })));
  session.command({ t: "ready", round: 3 });
  equal(session.shown.view.status.ready, [true, false]);
  ok(session.pending.has("ready", 3));
});

test("a watcher can do nothing", () => {
  const { session, sent } = seated(stateOf(viewOf(), null));
  ok(!session.command(play));
  equal(sent, []);
});

test("ids are never used twice and are what the protocol allows", () => {
  const { session, sent } = seated();
  for (let count = 0; count < 50; count += 1) session.command({ t: "spit", round: 3 });
  equal(new Set(sent.map(({ id }) => id)).size, 50);
  ok(sent.every(({ id }) => /^[A-Za-z0-9_-]{1,40}$/.test(id)));
});

const OVER = { phase: "over", result: { winner: 0, cause: "out_of_cards" } };
const ended = { kind: "ended", at: 60200, seat: 0, status: { ...viewOf().status, ...OVER } };
const rematch = (url, offered_by = 1) => ({ t: "rematch", offered_by, url });

test("who saw the end goes on to the rematch", () => {
  const { session, gone } = seated();
  session.receive({ t: "events", seq: 31, now: 60220, events: [ended] });
  session.receive(rematch(null));
  session.receive(rematch("/match/next/"));
  equal(gone, ["/match/next/"]);
});

test("who opens an old page stays there and is offered the way", () => {
  const { session, gone } = seated(stateOf(viewOf(OVER)));
  session.receive(rematch("/match/next/"));
  session.receive(stateOf(viewOf(OVER)));
  session.receive(rematch("/match/next/"));
  equal(gone, []);
  equal(session.rematch.url, "/match/next/");
});

test("who asks for a rematch on an old page goes on to it", () => {
  const { session, gone } = seated(stateOf(viewOf(OVER)));
  session.command({ t: "rematch" });
  session.receive(rematch("/match/next/"));
  equal(gone, ["/match/next/"]);
});

test("who was away at the end and comes back to the page goes on", () => {
  const { session, gone } = seated();
  session.setLine("reconnecting");
  session.setLine("open");
  session.receive(stateOf(viewOf(OVER)));
  session.receive(rematch("/match/next/"));
  equal(gone, ["/match/next/"]);
});

test("a place that is being drawn into shows a back until its card is known", () => {
  const places = { "0.hand.1": [], "0.stock": ["-", "-"], "centre.0": ["8h"], "centre.1": ["Ks"] };
  const { session } = seated(stateOf({ ...viewOf(), places }));
  session.command({ t: "refill", round: 3, place: "0.hand.1" });
  equal(session.shown.view.places["0.hand.1"], ["-"]);
  equal(session.shown.places, ["0.hand.1"]);
  ok(session.pending.isAbout("0.hand.1"), "it is not asked for twice");
});

test("whoever offered a rematch offers it again to a server that knows of none", () => {
  const { session, sent } = seated(stateOf(viewOf(OVER)));
  session.receive(rematch(null, 0));
  session.setLine("reconnecting");
  session.setLine("open");
  session.receive(stateOf(viewOf(OVER)));
  equal(sent.map(({ t }) => t), ["rematch"]);
  session.receive({ t: "ack", id: sent[0].id, seq: 40 });
  session.receive(rematch(null, 0));
  session.receive(stateOf(viewOf(OVER)));
  equal(sent.length, 1, "once for each new line");
});

test("an offer of the other one is not shown to be there when the server knows of none", () => {
  const { session, sent } = seated(stateOf(viewOf(OVER)));
  session.receive(rematch(null, 1));
  session.setLine("reconnecting");
  session.setLine("open");
  session.receive(stateOf(viewOf(OVER)));
  equal(session.rematch.offered_by, null);
  equal(sent, []);
});

test("that the server can write nothing is known until it is over, or until there is a new line", () => {
  const { session } = seated();
  session.receive({ t: "trouble", on: true });
  session.receive(stateOf());
  ok(session.isInTrouble);
  session.receive({ t: "trouble", on: false });
  ok(!session.isInTrouble);
  session.receive({ t: "trouble", on: true });
  session.setLine("reconnecting");
  session.setLine("open");
  session.receive(stateOf());
  ok(!session.isInTrouble);
});

test("while the server can write nothing its clock stands still here, too", () => {
  let local = 1000;
  const { session } = seated(stateOf(), new ServerClock(() => local));
  equal(session.clock.now(), 60000);
  session.receive({ t: "trouble", on: true });
  local += 5000;
  equal(session.clock.now(), 60000);
  session.receive(stateOf());
  local += 5000;
  equal(session.clock.now(), 60000, "after a state in the meantime");
  session.receive({ t: "trouble", on: false });
  local += 40;
  equal(session.clock.now(), 60040);
  session.receive(stateOf({ ...viewOf(), at: 60500 }));
  local += 10;
  equal(session.clock.now(), 60510);
});

test("why the server hung up is told until there is a table again", () => {
  const { session } = seated();
  session.receive({ t: "closing", code: "restart", text: "" });
  session.setLine("reconnecting");
  equal(lineText(session), "The server starts again. The match goes on where it was. Reconnecting.");
  session.setLine("open");
  session.setLine("reconnecting");
  ok(lineText(session).startsWith("The server starts again"), "nobody was there yet");
  session.setLine("open");
  session.receive(stateOf());
  equal(lineText(session), "");
  session.setLine("reconnecting");
  equal(lineText(session), "Connection lost. Reconnecting — the match goes on without you.");
  session.receive(stateOf(viewOf(OVER)));
  session.setLine("reconnecting");
  equal(lineText(session), "Connection lost. Reconnecting.");
  session.receive({ t: "closing", code: "signed_out", text: "" });
  session.setLine("closed");
  equal(lineText(session), "You were signed out.");
});

test("a table that does not come is late; one that waits for an opponent is there", async () => {
  const late = [];
  for (const message of [null, { t: "waiting" }, stateOf()]) {
    const session = new Session({ send: () => false }, { onChange: () => {}, onEvents: () => {}, onRefused: () => {} });
    session.expectSoon(0);
    if (message) session.receive(message);
    late.push(session);
  }
  await until(() => late[0].isLate, "the first one to be late");
  equal(late.map(({ isLate }) => isLate), [true, false, false]);
});
