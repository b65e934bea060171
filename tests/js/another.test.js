/** A new opponent: asked for at one page, looked for on the next. */

import { takeWish } from "../../static/js/lobby/another.js";
import { equal, test } from "./harness.js";

const KEY = "spit.another";
const keep = (wish) => sessionStorage.setItem(KEY, JSON.stringify(wish));

test("a wish is taken once", () => {
  keep({ game: "spit", rated: true, until: Date.now() + 5000 });
  equal(takeWish(), { game: "spit", rated: true });
  equal(takeWish(), null);
});

test("one whose reader went elsewhere is none", () => {
  keep({ game: "spit", rated: true, until: Date.now() - 1 });
  equal(takeWish(), null);
  keep({ game: "spit", rated: true });
  equal(takeWish(), null);
  keep({ game: "spit", rated: true, until: Date.now() + 3_600_000 });
  equal(takeWish(), null);
});

test("what is no wish is none", () => {
  sessionStorage.setItem(KEY, "{");
  equal(takeWish(), null);
});
