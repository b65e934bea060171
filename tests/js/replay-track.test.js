/** The track of a replay: every view once, any moment found again, whatever is asked for. */

import { BadDocument, parseDocument } from "../../static/js/replay/document.js";
import { clockParts, exactTime, momentAddress, readAddress } from "../../static/js/replay/moment.js";
import { outlineOf } from "../../static/js/replay/outline.js";
import { Scale } from "../../static/js/replay/scale.js";
import { Track, asSeen } from "../../static/js/replay/track.js";
import { describe, toNodes, toText } from "../../static/js/replay/words.js";
import { apply } from "../../static/js/table/reducer.js";
import { equal, ok, test } from "./harness.js";
import { replayOf } from "./replay-samples.js";

const LOGS = ["spit", "spit-four", "speed"];
const PAGE = "https://spit.test/replay/abcdefgh/";

/** @param {() => unknown} body */
function faultOf(body) {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

for (const name of LOGS) {
  test(`${name}: a view for each event, the fold of those before`, async () => {
    const replay = await replayOf(name);
    const track = new Track(replay);
    equal(track.views.length, replay.events.length + 1);
    let view = track.views[0];
    replay.events.forEach((event, position) => {
      view = apply(view, event);
      equal(track.views[position + 1], view, `view ${position + 1}`);
    });
    equal(track.end, replay.events.at(-1).at);
    equal(track.views.at(-1).status.phase, "over");
  });

  test(`${name}: the position at a time is after the last event up to it`, async () => {
    const track = new Track(await replayOf(name));
    const plain = (ms) => track.events.filter((event) => event.at <= ms).length;
    for (const { at } of track.events) {
      for (const ms of [at - 1, at - 0.25, at, at + 0.5, at + 1].filter((time) => time >= 0)) {
        equal(track.indexAt(ms), plain(ms), `at ${ms}`);
      }
    }
  });

  test(`${name}: a link comes back to exactly its event`, async () => {
    const track = new Track(await replayOf(name));
    for (let index = 0; index <= track.length; index += 1) {
      const position = track.at(index);
      const address = new URL(momentAddress(`${PAGE}?t=7&e=1#t=9`, position, track));
      equal(readAddress(address, track), position, address.href);
      equal(address.hash, "");
    }
  });

  test(`${name}: every event has words, short and long`, async () => {
    const track = new Track(await replayOf(name));
    for (const event of track.events) {
      const words = describe(event, () => "left");
      const text = toText(words, "Marta");
      const short = document.createElement("p");
      short.append(...toNodes(words));
      for (const said of [text, short.textContent]) {
        ok(said.trim() && !/%\(|undefined|null/.test(said), `"${said}" of ${event.kind}`);
      }
    }
  });

  test(`${name}: the outline has a round for each deal and a mark for each play`, async () => {
    const track = new Track(await replayOf(name));
    const outline = outlineOf(track);
    const count = (kind) => track.events.filter((event) => event.kind === kind).length;
    equal(outline.rounds.length, count("dealt"));
    equal(outline.turns.length, count("turned"));
    equal(outline.marks.filter((mark) => mark.kind === "play").length, count("played"));
    equal(outline.marks.filter((mark) => mark.kind === "missed").length, count("missed"));
    for (const { from, to } of [...outline.rounds, ...outline.waits]) {
      ok(from <= to && to <= track.end, `${from} to ${to}`);
    }
    for (const steps of outline.left) {
      for (const [at, left] of steps) ok(at <= track.end && left >= 0 && left <= outline.most + 26, `${left} at ${at}`);
    }
  });
}

test("positions out of bounds are brought into them", async () => {
  const track = new Track(await replayOf("spit"));
  const first = { index: 0, ms: 0 };
  const last = { index: track.length, ms: track.end };
  for (const index of [-1, -Infinity, NaN, 0]) equal(track.at(index), first, `index ${index}`);
  for (const index of [track.length, track.length + 1, 1e9, Infinity]) equal(track.at(index), last, `index ${index}`);
  const start = track.atTime(0);
  ok(start.index > 0, "cards are dealt at the first moment");
  for (const ms of [-1, -999999, NaN, -Infinity]) equal(track.atTime(ms), start, `${ms} ms`);
  for (const ms of [track.end + 1, 999999999, Infinity]) equal(track.atTime(ms), last, `${ms} ms`);
});

test("an address may say anything", async () => {
  const track = new Track(await replayOf("spit"));
  const asked = (tail) => readAddress(new URL(PAGE + tail), track);
  const start = track.atTime(0);
  const last = track.at(track.length);
  const middle = track.atTime(9999.5);
  equal(asked(""), null);
  for (const t of ["-1", "abc", "", "NaN", "-5", "%00", "0&e=abc", "0&e=-1", "0&e=99999", "0&e=1.5"]) {
    for (const mark of ["?t=", "#t="]) equal(asked(mark + t), start, mark + t);
  }
  for (const tail of ["?t=999999999", "?t=1e99", "#t=Infinity", `?t=${track.end}&e=3`]) equal(asked(tail), last, tail);
  equal(asked("?t=9999.5"), middle);
  equal(asked("#t=9999.5"), middle, "after #");
  equal(asked("?t=3#t=9999.5"), middle, "what stands after # was written later");
});

test("times are written to the millisecond", () => {
  equal(clockParts(754380.9), { clock: "12:34", fraction: "380" });
  equal(exactTime(0), "0:00.000");
  equal(exactTime(59999), "0:59.999");
  equal(exactTime(3600000), "60:00.000");
});

test("the hand of the other seat lies face down, as it was seen; nothing else changes", async () => {
  const track = new Track(await replayOf("speed"));
  const view = track.views[Math.floor(track.length / 2)];
  for (const seat of [0, 1]) {
    const seen = asSeen(view, seat);
    for (const place in view.places) {
      const hidden = place.startsWith(`${1 - seat}.hand`);
      if (!hidden) ok(seen.places[place] === view.places[place], place);
      else ok(seen.places[place].every((card) => card[0] === "-"), place);
    }
    equal(asSeen(view, seat).places, seen.places);
  }
  const spit = new Track(await replayOf("spit")).views[20];
  ok(asSeen(spit, 0) === spit, "where there are no hands it is the very same view");
});

test("what is no replay is said to be none", async () => {
  const replay = await replayOf("spit");
  const codeOf = (changed) => {
    const text = typeof changed === "string" ? changed : JSON.stringify({ ...replay, ...changed });
    const error = faultOf(() => parseDocument(text));
    ok(error instanceof BadDocument && error.message, "a sentence");
    return error.code;
  };
  equal(parseDocument(JSON.stringify(replay)).events.length, replay.events.length);
  for (const text of ["", "{", "null", "[]", "7", '"spit-replay"', "{}"]) equal(codeOf(text), "not_a_replay", text);
  equal(codeOf({ version: "1" }), "not_a_replay");
  equal(codeOf({ version: 2 }), "too_new");
  const damages = [
    { match: null }, { match: { seats: [{ name: "one" }] } }, { match: { seats: [{ name: 1 }, { name: "b" }] } },
    { places: null }, { start: null }, { start: { pack: "x" } }, { events: {} }, { events: [null] },
    { events: [{ kind: "ended", at: "0" }] }, { events: [{ kind: "a", at: 5 }, { kind: "b", at: 4 }] },
  ];
  for (const damage of damages) equal(codeOf(damage), "damaged", JSON.stringify(damage));
});

test("a move of a card that is not there is a damaged replay", async () => {
  const replay = await replayOf("spit");
  const events = [{ kind: "played", at: 0, seat: 0, moves: [["7d", "0.stockpile.1", "centre.0"]] }];
  equal(faultOf(() => new Track({ ...replay, events })).code, "damaged");
});

test("a kind of the future is named, not left out", () => {
  const words = describe({ kind: "juggled", at: 0, seat: 1 }, () => "left");
  equal(toText(words, "Ondřej"), "Ondřej: juggled");
});

test("the scale of the timeline: px to ms and back, zoomed about a moment, never beyond the match", () => {
  const scale = new Scale(60000);
  scale.width = 1000;
  for (const ms of [0, 1, 30000, 60000]) equal(Math.round(scale.ms(scale.x(ms))), ms);
  equal([scale.ms(-50), scale.ms(5000)], [0, 60000]);
  const before = scale.x(45000);
  scale.zoom(4, 45000);
  equal(Math.round(scale.x(45000)), Math.round(before));
  ok(!scale.isWhole && scale.span === 15000);
  scale.pan(100000);
  equal([scale.from, scale.to], [45000, 60000]);
  scale.pan(-100000);
  equal([scale.from, scale.to], [0, 15000]);
  ok(scale.follow(50000) && scale.from < 50000 && scale.to > 50000, "it follows");
  ok(!scale.follow(50000), "and then stays");
  scale.zoom(1e9, 50000);
  equal(scale.span, 2000);
  scale.zoom(1e-9, 50000);
  ok(scale.isWhole);
  const none = new Scale(0);
  none.width = 100;
  ok(Number.isFinite(none.x(0)) && Number.isFinite(none.ms(50)), "a match without time");
});
