/** The transport of a replay: whatever road leads to a step, it is the same step. */

import { Player, SPEEDS } from "../../static/js/replay/player.js";
import { Track } from "../../static/js/replay/track.js";
import { equal, ok, test } from "./harness.js";
import { FakeClock, replayOf } from "./replay-samples.js";

async function begin(name = "spit") {
  const clock = new FakeClock();
  const track = new Track(await replayOf(name));
  const player = new Player(track, clock);
  return { clock, track, player };
}

const where = (player) => [player.index, player.view.seq, player.ms];

test("stepping forward, back and jumping meet at every step", async () => {
  const { track, player } = await begin();
  for (let index = 0; index <= track.length; index += 1) {
    equal(where(player), [index, index, track.times[index]]);
    player.step(1);
  }
  equal(player.index, track.length, "no step beyond the last");
  ok(player.atEnd && !player.atStart);
  for (let index = track.length; index >= 0; index -= 1) {
    equal(where(player), [index, index, track.times[index]]);
    player.step(-1);
  }
  equal(player.index, 0, "no step before the first");
  ok(player.atStart && !player.atEnd);
  player.toEnd();
  equal(where(player), [track.length, track.length, track.end]);
  player.home();
  equal(where(player), [0, 0, 0]);
  player.seekIndex(17);
  equal(where(player), [17, 17, track.times[17]]);
});

test("a step back from between two events is to the one just passed", async () => {
  const { track, player } = await begin();
  const index = track.times.findIndex((at, i) => i > 5 && track.times[i + 1] - at > 100);
  player.seek(track.times[index] + 50);
  equal(where(player), [index, index, track.times[index] + 50]);
  player.step(-1);
  equal(where(player), [index, index, track.times[index]]);
  player.step(-1);
  equal(player.index, index - 1);
});

test("playing keeps true time at every speed, both ways", async () => {
  for (const speed of SPEEDS) {
    const { clock, track, player } = await begin();
    player.setSpeed(speed);
    player.seek(20000);
    player.play(1);
    for (let frame = 0; frame < 60; frame += 1) clock.pass(50 / 3);
    ok(Math.abs(player.ms - (20000 + 1000 * speed)) < 0.01, `${speed} times: ${player.ms}`);
    equal(player.index, track.indexAt(player.ms));
    player.play(-1);
    for (let frame = 0; frame < 60; frame += 1) clock.pass(50 / 3);
    ok(Math.abs(player.ms - 20000) < 0.01, `${speed} times back: ${player.ms}`);
  }
});

test("playing shows every step in order, stops at the end, and begins again from there", async () => {
  const { clock, track, player } = await begin();
  const seen = [];
  player.listen((now, { from, cause }) => {
    if (cause !== "play") return;
    ok(now.index >= from, "never back");
    equal(now.index, track.indexAt(now.ms));
    seen.push(now.index);
  });
  player.setSpeed(8);
  player.play();
  while (player.playing) clock.pass(16);
  equal(where(player), [track.length, track.length, track.end]);
  equal(seen.at(-1), track.length);
  equal(clock.pass(16), 0, "frames still asked for");
  player.play();
  equal(player.index, 0);
});

test("playing backwards stops at the start, and begins again from the end", async () => {
  const { clock, track, player } = await begin();
  player.setSpeed(8);
  player.seekIndex(track.length);
  player.play(-1);
  while (player.playing) clock.pass(16);
  equal(where(player), [0, 0, 0]);
  player.play(-1);
  equal(player.index, track.length);
});

test("seeks and steps while it plays", async () => {
  const { clock, track, player } = await begin();
  player.play();
  clock.pass(100);
  player.seek(30000);
  ok(player.playing, "a seek does not stop it");
  clock.pass(100);
  equal(player.ms, 30100);
  player.home();
  ok(player.playing);
  clock.pass(100);
  equal(player.ms, 100);
  player.step(1);
  ok(!player.playing, "a step does");
  equal(clock.pass(100), 0);
  player.play();
  player.toEnd();
  ok(!player.playing && player.atEnd, "so does the end");
  equal(player.index, track.length);
});

test("a tab that slept goes on where it was", async () => {
  const { clock, player } = await begin();
  player.play();
  clock.pass(60000);
  equal(player.ms, 250);
});

test("skipped waits cut gaps and lose no event", async () => {
  for (const direction of [1, -1]) {
    const { clock, track, player } = await begin();
    const seen = new Set();
    player.listen((now, { from }) => {
      const [low, high] = [Math.min(from, now.index), Math.max(from, now.index)];
      for (let index = low; index <= high; index += 1) seen.add(index);
    });
    player.seekIndex(direction > 0 ? 0 : track.length);
    player.setSkipWaits(true);
    player.setSpeed(4);
    player.play(direction);
    let frames = 0;
    let longest = 0;
    let still = 0;
    while (player.playing) {
      const before = player.index;
      clock.pass(16);
      frames += 1;
      still = player.index === before ? still + 16 * 4 : 0;
      longest = Math.max(longest, still);
    }
    equal(seen.size, track.length + 1, "steps shown");
    ok(frames * 16 * 4 < track.end, `${frames} frames for ${track.end} ms`);
    ok(longest <= 1700, `a wait of ${longest} ms was not cut`);
  }
});

test("jumps among contests and rounds", async () => {
  const { player } = await begin();
  const stops = [10, 20, 30];
  player.stepAmong(stops, 1);
  equal(player.index, 10);
  player.stepAmong(stops, 1);
  player.stepAmong(stops, 1);
  player.stepAmong(stops, 1);
  equal(player.index, 30, "stays at the last");
  player.stepAmong(stops, -1);
  equal(player.index, 20);
  player.seekIndex(5);
  player.stepAmong(stops, -1);
  equal(player.index, 5, "stays when there is none before");
});

test("100 ms on and back, within the match", async () => {
  const { track, player } = await begin();
  player.seek(5000);
  player.nudge(100);
  equal(player.ms, 5100);
  player.nudge(-200);
  equal(player.ms, 4900);
  player.seek(50);
  player.nudge(-100);
  equal(player.ms, 0);
  player.toEnd();
  player.nudge(100);
  equal(where(player), [track.length, track.length, track.end]);
});

test("a part that was put away comes back as it was", async () => {
  const { player } = await begin();
  const around = { from: 1000, to: 6000 };
  player.toggleLoop(around);
  equal(player.loop, around, "there was none yet");
  player.setLoop({ from: 2000, to: 3000 });
  player.toggleLoop(around);
  equal(player.loop, null);
  player.seek(9000);
  player.toggleLoop(around);
  equal(player.loop, { from: 2000, to: 3000 });
});

test("only the speeds there are", async () => {
  const { player } = await begin();
  let error = null;
  try {
    player.setSpeed(3);
  } catch (thrown) {
    error = thrown;
  }
  ok(error instanceof RangeError);
});

test("whoever stops listening hears nothing more", async () => {
  const { player } = await begin();
  let heard = 0;
  const stop = player.listen(() => (heard += 1));
  player.step(1);
  stop();
  player.step(1);
  equal(heard, 1);
});
