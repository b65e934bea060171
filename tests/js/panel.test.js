/** What lies over the table at the end. */

import { Panel } from "../../static/js/table/panel.js";
import { Session } from "../../static/js/table/session.js";
import { equal, ok, test } from "./harness.js";
import { stateOf, viewOf } from "./samples.js";

function atTheEnd(more = {}) {
  const root = document.createElement("section");
  document.body.append(root);
  const sent = [];
  const panel = new Panel(root, { replay: "/replay/", home: "/", share: "", rematch: () => session.command({ t: "rematch" }), ...more });
  const session = new Session(
    { send: (message) => sent.push(message) },
    { onChange: () => panel.show(session), onEvents: () => {}, onRefused: () => {} },
  );
  session.setLine("open");
  session.receive(stateOf(viewOf({ phase: "over", result: { winner: 0, cause: "resigned" } })));
  return { root, session, sent };
}

test("that the other one is gone is said in place of the button for a rematch", () => {
  const { root, session, sent } = atTheEnd();
  const again = () => root.querySelector("[data-action=rematch]");
  again().focus();
  again().click();
  equal(again().ariaDisabled, "true");
  ok(document.activeElement === again(), "it has the focus still");
  session.receive({ t: "refused", id: sent[0].id, code: "gone" });
  equal(again(), null);
  ok(document.activeElement === root, "the panel has the focus, not the page");
  ok(root.textContent.includes("Your opponent is gone: there can be no rematch."));
});

test("a rematch refused for now may be wished for again", () => {
  const { root, session, sent } = atTheEnd();
  root.querySelector("[data-action=rematch]").click();
  session.receive({ t: "refused", id: sent[0].id, code: "trouble" });
  equal(root.querySelector("[data-action=rematch]").ariaDisabled, "false");
});

test("where no table comes, why that may be is said, and what can be done", () => {
  const root = document.createElement("section");
  document.body.append(root);
  const panel = new Panel(root, { replay: "/replay/", home: "/", share: "", rematch: () => {} });
  const session = new Session({ send: () => false }, { onChange: () => panel.show(session), onEvents: () => {}, onRefused: () => {} });
  session.setLine("reconnecting");
  equal([root.hidden, root.textContent], [true, ""]);
  session.isLate = true;
  session.setLine("connecting");
  ok(root.textContent.includes("No connection to the table"));
  ok(root.querySelector("[data-action=reload]"));
  session.setLine("open");
  session.receive(stateOf());
  ok(root.hidden);
});

test("whom quick pairing has led here it finds somebody else for, but not without a line", () => {
  let looked = 0;
  const { root, session } = atTheEnd({ another: () => (looked += 1) });
  const another = () => root.querySelector("[data-action=another]");
  session.setLine("reconnecting");
  another().click();
  equal([looked, another().getAttribute("aria-disabled")], [0, "true"]);
  ok(root.textContent.includes("The connection is lost: a new opponent can be looked for once it is back."));
  session.setLine("open");
  session.receive(stateOf(viewOf({ phase: "over", result: { winner: 0, cause: "resigned" } })));
  ok(!root.textContent.includes("The connection is lost"));
  another().click();
  equal(looked, 1);
});

test("where friends have met there is no such button", () => {
  const { root } = atTheEnd({ another: null });
  equal(root.querySelector("[data-action=another]"), null);
  ok(root.querySelector("[data-action=rematch]"));
});

test("that the other one has left the table is said as soon as it is known, and no more once they are back", () => {
  const { root, session } = atTheEnd();
  const here = (is) => session.receive({ t: "presence", seats: [{ here: true }, { here: is }], watchers: 0 });
  root.querySelector("[data-action=rematch]").click();
  here(false);
  ok(root.textContent.includes("Ondřej has left the table."));
  ok(root.textContent.includes("Rematch offered"));
  here(true);
  ok(!root.textContent.includes("has left"));
});
