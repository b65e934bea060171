/** What is known only some time after the end. */

import { After } from "../../static/js/table/after.js";
import { Panel } from "../../static/js/table/panel.js";
import { Session } from "../../static/js/table/session.js";
import { ok, test, until } from "./harness.js";
import { stateOf, viewOf } from "./samples.js";

/** Ends a match; the site answers with these, one after the other, until those words are read. */
async function ended(answers, words, you = 0, pauses = answers.map(() => 0)) {
  const root = document.createElement("section");
  document.body.append(root);
  const panel = new Panel(root, { replay: "/replay/", home: "/", share: "", rematch: () => {} });
  let asked = 0;
  const { fetch } = globalThis;
  globalThis.fetch = async () => {
    const answer = answers[asked];
    asked += 1;
    if (!answer) throw new TypeError("no connection");
    return new Response(JSON.stringify({ ratings: answer }));
  };
  const session = new Session(
    { send: () => true },
    { onChange: () => (after.look(), panel.show(session)), onEvents: () => {}, onRefused: () => {} },
  );
  const after = new After("/after/", session, pauses);
  session.setLine("open");
  session.receive(stateOf(viewOf({ phase: "over", result: { winner: 0, cause: "resigned" } }), you));
  ok(root.textContent.includes("the ratings change in a moment"));
  await until(() => root.textContent.includes(words));
  ok(!root.textContent.includes("in a moment"));
  globalThis.fetch = fetch;
}

const PENDING = { pending: true, seats: [null, null] };
const MOVED = [{ rating: 1518, provisional: false, gain: "+18" }, { rating: 1482, provisional: true, gain: "−18" }];

test("a player is told the own rating as soon as it is counted", () =>
  ended([PENDING, null, { pending: false, seats: MOVED }], "your rating: 1518 +18"));

test("a watcher is told both", () => ended([{ pending: false, seats: MOVED }], "Marta 1518 +18 · Ondřej 1482 −18", null));

test("a match that moved nothing says so", () => ended([{ pending: false, seats: [null, null] }], "no points"));

test("what nobody counts is said to be still to be counted", () => ended([PENDING, PENDING], "the ratings are still to be counted"));
