/** The browser's fold gets to what the server's does, for every audience, on every golden log. */

import { apply, move } from "../../static/js/table/reducer.js";
import { equal, ok, test } from "./harness.js";
import { viewOf } from "./samples.js";

const GOLDEN = [
  "spit", "spit-four", "spit-by-hand", "spit-no-slap", "spit-alternating", "two-deck", "two-deck-by-hand", "japanese-speed",
  "speed", "speed-by-hand", "speed-best-of-three", "speed-race-small-sides",
];

for (const name of GOLDEN) {
  test(`golden log ${name}`, async () => {
    const log = await (await fetch(`/tests/golden/${name}.json`)).json();
    for (const [audience, { start, events, views }] of Object.entries(log.audiences)) {
      const wanted = new Map(views.map((view) => [view.seq, view]));
      let view = start;
      for (const event of events) {
        view = apply(view, event);
        if (wanted.has(view.seq)) equal(view, wanted.get(view.seq), `${audience} after ${view.seq}`);
      }
      equal(view.seq, events.length);
    }
    // With every face open, as in a replay, the last step is what everybody is sent at the end.
    let open = { seq: 0, at: 0, places: log.audiences.watchers.start.places, status: log.audiences.watchers.start.status };
    for (const event of log.events) open = apply(open, event);
    equal(open.status, log.end.status);
    const counts = (view) => Object.fromEntries(Object.entries(view.places).map(([place, pile]) => [place, pile.length]));
    equal(counts(open), counts(log.end));
  });
}

test("what does not change is shared", () => {
  const view = viewOf();
  const after = apply(view, { kind: "played", at: 60100, seat: 0, moves: [["7d", "0.stockpile.1", "centre.0"]] });
  equal(after.places["centre.0"].at(-1), "7d");
  equal(view.places["centre.0"].at(-1), "8h", "the view before");
  ok(after.places["1.stockpile.1"] === view.places["1.stockpile.1"], "an untouched pile is the same");
  ok(after.status === view.status, "an untouched status is the same");
  equal([after.seq, after.at], [31, 60100]);
});

test("a card that turns over stays where it is", () => {
  const places = move(viewOf().places, [["3s", "0.stockpile.2", "centre.0"], ["Kd", "0.stockpile.2", "0.stockpile.2"]]);
  equal(places["0.stockpile.2"], ["Kd"]);
});

test("a warning lasts until a card moves; shifting a lone card is no progress", () => {
  const warned = apply(viewOf(), { kind: "warned", at: 1, seat: 0 });
  equal(warned.warned, 0);
  const shifted = apply(warned, { kind: "moved", at: 2, seat: 0, moves: [["7d", "0.stockpile.1", "0.stockpile.4"]] });
  equal(shifted.warned, 0);
  const uncovered = apply(warned, { kind: "moved", at: 2, seat: 0, moves: [["3s", "0.stockpile.2", "0.stockpile.4"]] });
  ok(!("warned" in uncovered), "moving the top of two is progress");
  ok(!("warned" in apply(warned, { kind: "played", at: 2, seat: 0, moves: [["7d", "0.stockpile.1", "centre.0"]] })), "a play is");
});

test("a move from an empty place is an error, not a silent wrong table", () => {
  let error = null;
  try {
    move(viewOf().places, [["7d", "0.stockpile.4", "centre.0"]]);
  } catch (thrown) {
    error = thrown;
  }
  ok(error instanceof RangeError);
});
