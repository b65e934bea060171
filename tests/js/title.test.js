/** The title of the page says how the match stands, and calls for whoever is in another tab. */

import { Session } from "../../static/js/table/session.js";
import { Title } from "../../static/js/table/title.js";
import { equal, test, until } from "./harness.js";
import { MATCH, stateOf, viewOf } from "./samples.js";

const WAITS = "Spit: Ann waits for an opponent · Cards";

function host(heading = null) {
  document.title = WAITS;
  const title = new Title({ game: "Spit", site: "Cards" }, 20, heading);
  const session = new Session({ send: () => {} }, { onChange: () => title.show(session), onEvents: () => {}, onRefused: () => {} });
  session.setLine("open");
  session.receive({ t: "waiting" });
  return session;
}

function hide(isHidden) {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}

const phase = (name, ready = [false, false]) => stateOf(viewOf({ phase: name, ready }));
const people = MATCH.seats.map(({ name }) => name);

test("the heading of whoever has waited says who plays", () => {
  const heading = Object.assign(document.createElement("h1"), { textContent: "Spit: Ann waits for an opponent" });
  const session = host(heading);
  equal(heading.textContent, "Spit: Ann waits for an opponent");
  session.receive(phase("ready"));
  equal(heading.textContent, `Spit: ${people.join(" – ")}`);
});

test("whoever waits is told in the title that the match begins, and how it stands", () => {
  const session = host();
  equal(document.title, WAITS);
  for (const [state, word] of [
    [phase("ready"), "Your turn: Ready?"],
    [phase("ready", [true, false]), "At play"],
    [phase("playing"), "At play"],
    [phase("over"), "Over"],
  ]) {
    session.receive(state);
    equal(document.title, `${word} · Spit: ${people.join(" – ")} · Cards`);
  }
});

test("the title of a tab in the background calls until it is looked at", async () => {
  hide(true);
  const session = host();
  session.receive(phase("ready"));
  const text = `Your turn: Ready? · Spit: ${people.join(" – ")} · Cards`;
  for (const wanted of [`● ${people[1]} is here`, text, `● ${people[1]} is here`]) await until(() => document.title === wanted, wanted);
  hide(false);
  equal(document.title, text);
  const seen = [];
  for (let frame = 0; frame < 10; frame += 1) {
    await new Promise(requestAnimationFrame);
    seen.push(document.title);
  }
  equal(new Set(seen).size, 1);
  delete document.hidden;
});
