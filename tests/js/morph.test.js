/** Parts of pages that are brought up to date under the pointer. */

import { morph } from "../../static/js/site/morph.js";
import { equal, ok, test } from "./harness.js";

const card = (slug, left) => `\n  <li data-key="${slug}"><p><b>${left}</b> left</p> <a href="/match/${slug}/">Watch</a></li>`;
const list = (...cards) => `<ul class="grid">${cards.join("")}\n</ul>`;

function part(html) {
  const made = document.createElement("div");
  document.body.append(made);
  morph(made, html);
  return made;
}

const slugs = (made) => [...made.querySelectorAll("li")].map((each) => each.dataset.key);

test("what stays is the same element, and only what is new in it changes", async () => {
  const made = part(list(card("a", 20), card("b", 20), card("c", 20)));
  const kept = [...made.querySelectorAll("li, a, b")];
  const moved = [];
  new MutationObserver((records) => moved.push(...records)).observe(made, { childList: true, subtree: true });
  morph(made, list(card("a", 20), card("b", 19), card("c", 20)));
  equal([...made.querySelectorAll("li, a, b")].every((each, index) => each === kept[index]), true);
  equal([...made.querySelectorAll("b")].map((each) => each.textContent), ["20", "19", "20"]);
  await Promise.resolve();
  equal(moved.length, 0);
});

test("others come and go around it, and it is not moved", async () => {
  const made = part(list(card("a", 20), card("b", 20), card("c", 20)));
  const link = made.querySelector('a[href="/match/c/"]');
  link.focus();
  const removed = [];
  const observer = new MutationObserver((records) => removed.push(...records.flatMap((each) => [...each.removedNodes])));
  observer.observe(made, { childList: true, subtree: true });
  morph(made, list(card("x", 20), card("y", 20), card("c", 12)));
  equal(slugs(made), ["x", "y", "c"]);
  ok(document.activeElement === link);
  await Promise.resolve();
  equal(removed.flatMap((each) => each.dataset?.key ?? []), ["a", "b"]);
  morph(made, list(card("c", 11), card("y", 20)));
  equal(slugs(made), ["c", "y"]);
});

test("another template takes the place of the first", () => {
  const made = part(list(card("a", 20)));
  morph(made, '<div class="empty"><p>Nobody plays.</p></div>');
  equal(made.innerHTML, '<div class="empty"><p>Nobody plays.</p></div>');
  morph(made, list(card("a", 20)));
  equal(made.innerHTML, list(card("a", 20)));
});

test("attributes come, change and go", () => {
  const made = part('<p class="a" title="x">1</p>');
  const [p] = made.children;
  morph(made, '<p class="b" lang="de">1</p>');
  equal([made.firstElementChild === p, p.className, p.title, p.lang], [true, "b", "", "de"]);
});
