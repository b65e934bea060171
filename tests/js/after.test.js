/** What is known only some time after the end. */

import { After } from "../../static/js/table/after.js";
import { Panel } from "../../static/js/table/panel.js";
import { Session } from "../../static/js/table/session.js";
import { equal, ok, test, until } from "./harness.js";
import { stateOf, viewOf } from "./samples.js";

/** Ends a match; the site answers with these, one after the other, until those words are read. */
async function ended(answers, words, you = 0, cause = "resigned", winner = 0) {
  const pauses = answers.map(() => 0);
  const root = document.createElement("section");
  document.body.append(root);
  const panel = new Panel(root, { replay: "/replay/", home: "/", share: "", decisions: "/decisions/", rematch: () => {}, another: () => {} });
  let asked = 0;
  const { fetch } = globalThis;
  globalThis.fetch = async () => {
    const answer = answers[asked];
    asked += 1;
    if (!answer) throw new TypeError("no connection");
    return new Response(JSON.stringify({ barred: [false, false], ratings: PENDING, ...answer }));
  };
  const session = new Session(
    { send: () => true },
    { onChange: () => (after.look(), panel.show(session)), onEvents: () => {}, onRefused: () => {} },
  );
  const after = new After("/after/", session, pauses);
  session.setLine("open");
  session.receive(stateOf(viewOf({ phase: "over", result: { winner, cause } }), you));
  ok(root.textContent.includes("the ratings change in a moment"));
  ok(!root.textContent.includes("away for too long"), "it is asked first");
  await until(() => root.textContent.includes(words));
  globalThis.fetch = fetch;
  return root;
}

const PENDING = { pending: true, seats: [null, null] };
const MOVED = [{ rating: 1518, provisional: false, gain: "+18" }, { rating: 1482, provisional: true, gain: "−18" }];

const counted = (seats) => ({ ratings: { pending: false, seats } });

test("a player is told the own rating as soon as it is counted", () =>
  ended([{}, null, counted(MOVED)], "your rating: 1518 +18"));

test("a watcher is told both", () => ended([counted(MOVED)], "Marta 1518 +18 · Ondřej 1482 −18", null));

test("a match that moved nothing says so", () => ended([counted([null, null])], "no points"));

test("what nobody counts is said to be still to be counted", () => ended([{}, {}], "the ratings are still to be counted"));

const actionsOf = (root) => [...root.querySelectorAll("[data-action]")].map(({ dataset }) => dataset.action);

test("who was away is said, once it is known that it was no ban", async () => {
  const root = await ended([counted(MOVED)], "Ondřej was away for too long.", 0, "left");
  equal(actionsOf(root), ["rematch", "another", "/replay/", "/"]);
});

test("who was left by somebody banned has nobody for a rematch, and is told no more than that", async () => {
  const root = await ended([{ ...counted(MOVED), barred: [false, true] }], "Ondřej cannot play on.", 0, "left");
  equal(actionsOf(root), ["another", "/replay/", "/"]);
});

test("who is banned in mid-match is led to why, and to no other match", async () => {
  const root = await ended([{ ...counted(MOVED), barred: [true, false] }], "You cannot play on.", 0, "left", 1);
  equal(actionsOf(root), ["/decisions/", "/replay/", "/"]);
});
