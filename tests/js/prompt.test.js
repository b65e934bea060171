/** What the middle of the table asks for, and how it is told: readiness, warnings (G8), series of games (M1). */

import { ServerClock } from "../../static/js/net/clock.js";
import { commentOn } from "../../static/js/table/commentary.js";
import { Hub } from "../../static/js/table/hub.js";
import { Panel } from "../../static/js/table/panel.js";
import { promptOf } from "../../static/js/table/prompt.js";
import { Session } from "../../static/js/table/session.js";
import { endText, lengthLine, stageLine, stageTitle } from "../../static/js/table/words.js";
import { equal, ok, test } from "./harness.js";
import { MATCH, STATUS, stateOf, viewOf } from "./samples.js";

const board = { sideOf: (pile) => (pile === "centre.0" ? "right" : "left") };
const SERIES = { ...MATCH, game: "speed", options: { handling: "automatic", side: 10, best_of: 3, target: 0 } };
const HANDS = { "0.hand.1": ["7d"], "1.hand.1": ["-"], "0.stock": ["-"], "1.stock": ["-"], "centre.0": ["-"], "centre.1": ["-"] };

function at(view, { you = 0, match = MATCH } = {}) {
  const session = new Session({ send: () => true }, { onChange: () => {}, onEvents: () => {}, onRefused: () => {} });
  session.setLine("open");
  session.receive({ ...stateOf(view, you), match });
  return session;
}

/** Between the first and the second game of a series. */
const between = (more = {}) => ({
  ...viewOf({ ...STATUS, phase: "ready", round: 2, first_round: 2, game: 2, score: [0, 1], last: { winner: 1, cause: "out_of_cards" }, ...more }),
  places: HANDS,
});

test("who does not press Ready is told what that costs, and by when", () => {
  const view = { ...viewOf({ phase: "ready", ready: [false, true], since: 40000 }), at: 50000, warned: 0 };
  const prompt = promptOf(at(view), view);
  equal([prompt.kind, prompt.tone, prompt.action], ["ring", "danger", "ready"]);
  equal([prompt.since, prompt.due], [60000 - 10000, 70000]);
  ok(/Press Ready, or the match is lost/.test(prompt.say));
  const first = { ...view, status: { ...view.status, round: 1 } };
  ok(/is off/.test(promptOf(at(first), first).say), "before the first card nobody loses");
});

test("the others see whom they wait for", () => {
  const view = { ...viewOf({ phase: "ready", ready: [false, true], since: 40000 }), warned: 0 };
  for (const you of [1, null]) {
    const prompt = promptOf(at(view, { you }), view);
    equal([prompt.kind, prompt.label, prompt.tone, prompt.action], ["ring", "Marta", "wait", undefined]);
  }
});

test("a warning says what there is to do", () => {
  const warned = { kind: "warned", at: 50000, seat: 0 };
  const waiting = { ...viewOf({ phase: "ready" }), warned: 0 };
  ok(/Press Ready/.test(commentOn(warned, at(waiting), board).say));
  const playing = { ...viewOf(), warned: 0 };
  equal(commentOn(warned, at(playing), board).say, "You can play");
  equal(promptOf(at(playing), playing).overlooked, ["0.stockpile.1", "centre.0"]);
});

test("by hand, a card to turn up or a place to fill is what is overlooked", () => {
  const match = { ...MATCH, options: { ...MATCH.options, handling: "by_hand" } };
  const places = { ...viewOf().places, "0.stockpile.1": ["-"], "centre.0": ["2d"], "centre.1": ["2s"], "0.stockpile.2": ["6s"], "0.stockpile.5": ["6h"] };
  delete places["0.stockpile.4"];
  const view = { ...viewOf({}, places), places, warned: 0 };
  equal(promptOf(at(view, { match }), view).overlooked, ["0.stockpile.1"]);
});

test("the game and its round are counted within the series", () => {
  equal(stageTitle(MATCH, viewOf()), "Round 3");
  equal(stageLine(MATCH, viewOf()), "round 3");
  equal(stageTitle(SERIES, between()), "Game 2");
  equal(stageLine(SERIES, between()), "game 2 of 3");
  const spit = { ...MATCH, options: { ...MATCH.options, best_of: 5 } };
  equal(stageLine(spit, viewOf({ round: 7, first_round: 5, game: 2 })), "game 2 of 5 · round 3");
  equal(lengthLine(MATCH, viewOf()), "3 rounds, 1:00");
  equal(lengthLine(SERIES, between()), "2 games, 1:00");
  equal(lengthLine(MATCH, between({ round: 1 })), "1:00", "a game that deals once has no rounds");
  const race = { ...SERIES, options: { ...SERIES.options, best_of: 1, target: 25 } };
  equal(stageLine(race, between()), "game 2, to 25 points");
});

test("between two games it is said who won the last one, until one is ready", () => {
  const root = document.createElement("section");
  const panel = new Panel(root, {});
  panel.show(at(between(), { match: SERIES }));
  equal(promptOf(at(between(), { match: SERIES }), between()).action, "ready", "the button is where it always is");
  equal(root.querySelector("h2").textContent, "Ondřej won game 1");
  equal([...root.querySelectorAll(".score-side")].map((side) => side.textContent), ["Ondřej1", "Marta0"]);
  panel.show(at(between({ ready: [true, false] }), { match: SERIES }));
  ok(root.hidden);
  panel.show(at({ ...between(), warned: 0 }, { match: SERIES }));
  ok(root.hidden, "the warning is not hidden");
});

test("the end of a series has its score, and says how the last game went", () => {
  const over = { phase: "over", score: [1, 2], game: 3, last: { winner: 1, cause: "fewer_cards" } };
  const session = at({ ...between(over), status: { ...between(over).status, result: { winner: 1, cause: "fewer_cards" } } }, { match: SERIES });
  const root = document.createElement("section");
  new Panel(root, { replay: "/replay/", home: "/" }).show(session);
  equal(root.querySelector("h2").textContent, "You lost");
  equal([...root.querySelectorAll(".score-side b")].map((count) => count.textContent), ["2", "1"]);
  const resigned = { ...session.view.status, result: { winner: 1, cause: "resigned" } };
  equal(endText(SERIES, resigned, 0).text, "You resigned.");
});

test("a game of a series is told, and the last one only with the match", () => {
  const session = at(between(), { match: SERIES });
  const finished = { kind: "finished", at: 1, seat: 1, status: { ...session.view.status, phase: "dealing" } };
  equal(commentOn(finished, session, board).say, "Ondřej won game 1. Ondřej got rid of all cards. It stands 0 : 1");
  equal(commentOn({ ...finished, status: { ...finished.status, phase: "playing" } }, session, board), {});
  equal(commentOn({ kind: "reshuffled", at: 1 }, session, board).say, "New side piles");
});

test("where the turn waits for both, the middle asks for it and has no clock", () => {
  const paced = { ...MATCH, pace: { ...MATCH.pace, asks: true } };
  const stuckAt = (ready, more = {}) => {
    const view = { ...viewOf({ phase: "stuck", due: null, since: 60000, ready }), ...more };
    return promptOf(at(view, { match: paced }), view);
  };
  equal([stuckAt([false, false]).kind, stuckAt([false, false]).action], ["button", "spit"]);
  equal(stuckAt([true, false]).label, "waiting for Ondřej");
  const late = stuckAt([false, true], { warned: 0 });
  equal([late.kind, late.tone, late.action, late.due], ["ring", "danger", "spit", 90000]);
  ok(/Press Spit, or the match is lost/.test(late.say));
});

test("without a line nothing looks as if it could be pressed", () => {
  for (const status of [{ phase: "ready" }, { phase: "stuck", due: 2000 }, { phase: "slap", due: 5000 }]) {
    const session = at(viewOf(status));
    ok(promptOf(session, session.view).tone !== undefined || promptOf(session, session.view).action);
    session.setLine("reconnecting");
    const prompt = promptOf(session, session.view);
    equal([prompt.action ?? null, prompt.glow ?? []], [null, []], status.phase);
  }
});

test("how long the other one may stay away is counted down in the middle", () => {
  const session = at(viewOf());
  const { seats } = session.presence;
  session.receive({ t: "presence", seats: [seats[0], { here: false, lag: null, away_due: 84000 }], watchers: 0 });
  const prompt = promptOf(session, session.view);
  equal([prompt.kind, prompt.label, prompt.due], ["ring", "away", 84000]);
});

test("the ring stands still with the clock, and goes on with it", () => {
  let local = 0;
  const clock = new ServerClock(() => local);
  clock.sample(1000);
  const root = document.createElement("div");
  document.body.append(root);
  const hub = new Hub(root, { clock, onPress: () => {} });
  const arc = () => root.querySelector(".hub-arc").getAnimations()[0].playState;
  const prompt = { kind: "ring", label: "spit", since: 1000, due: 4000, tone: "go" };
  hub.show(prompt);
  equal([arc(), root.querySelector(".hub-time").textContent], ["running", "3"]);
  clock.stop();
  hub.show({ ...prompt });
  local = 2500;
  hub.show({ ...prompt });
  equal([arc(), root.querySelector(".hub-time").textContent], ["paused", "3"]);
  clock.goOn();
  local = 3500;
  hub.show({ ...prompt });
  equal([arc(), root.querySelector(".hub-time").textContent], ["running", "2"]);
  hub.destroy();
});

test("the ring is set anew when the clock is", () => {
  const clock = new ServerClock(() => 0);
  clock.sample(4000);
  const root = document.createElement("div");
  document.body.append(root);
  const hub = new Hub(root, { clock, onPress: () => {} });
  const prompt = { kind: "ring", label: "spit", since: 1000, due: 4000, tone: "go" };
  hub.show(prompt);
  equal(root.querySelector(".hub-time").textContent, "0");
  clock.reset();
  clock.sample(2000);
  hub.show({ ...prompt });
  equal(root.querySelector(".hub-time").textContent, "2");
  hub.destroy();
});
