/** What pressing a card means: taken up, or, for who likes it so, played where it fits. */

import { Actions } from "../../static/js/table/actions.js";
import { Session } from "../../static/js/table/session.js";
import { equal, ok, test } from "./harness.js";
import { stateOf, viewOf } from "./samples.js";

function hand(places, settings = { oneTap: true }) {
  const sent = [];
  const session = new Session(
    { send: ({ t, card, to }) => sent.push([t, card, to]) },
    { onChange: () => {}, onEvents: () => {}, onRefused: () => {} },
  );
  session.setLine("open");
  session.receive(stateOf(viewOf({}, places)));
  const nearest = (from, among) => among.at(-1);
  return { sent, session, actions: new Actions(session, { settings, onSelect: () => {}, onBlocked: () => {}, nearest }) };
}

test("a press takes a card up, and a second one on a pile plays it", () => {
  const { actions, sent } = hand({}, { oneTap: false });
  actions.press("0.stockpile.1");
  equal([actions.selected, sent], ["0.stockpile.1", []]);
  actions.press("centre.0");
  equal(sent, [["play", "7d", "centre.0"]]);
});

test("where a card fits on one pile only, one press plays it, spaces or not", () => {
  const { actions, sent } = hand({});
  actions.press("0.stockpile.1");
  equal(sent, [["play", "7d", "centre.0"]]);
  equal(actions.selected, null);
});

test("where it fits on two, it is taken up; pressed again it goes to the nearer, or to the pile that is pressed", () => {
  const both = { "centre.1": ["6c"] };
  const { actions, sent } = hand(both);
  actions.press("0.stockpile.1");
  equal([actions.selected, sent], ["0.stockpile.1", []]);
  ok(actions.playsAgain);
  actions.press("0.stockpile.1");
  equal(sent, [["play", "7d", "centre.1"]]);
  const other = hand(both);
  other.actions.press("0.stockpile.1");
  other.actions.press("centre.0");
  equal(other.sent, [["play", "7d", "centre.0"]]);
});

test("without a pile it goes into a space if that turns a card up, and else it is only taken up", () => {
  const { actions, sent } = hand({ "centre.1": ["5h"] });
  actions.press("0.stockpile.3");
  equal(sent, [["move", "Th", "0.stockpile.4"]]);
  const lone = hand({ "centre.0": ["Jd"], "centre.1": ["Js"] });
  lone.actions.press("0.stockpile.1");
  equal([lone.actions.selected, lone.sent], ["0.stockpile.1", []]);
});

test("without a line nothing is played, and it is said", () => {
  const { actions, session, sent } = hand({});
  session.setLine("reconnecting");
  let blocked = "";
  actions.onBlocked = (place) => (blocked = place);
  ok(!actions.press("0.stockpile.1"));
  equal([blocked, sent], ["0.stockpile.1", []]);
});
