/** Names are shown while one types: those of what stands in the field. */

import { equal, test, until } from "./harness.js";

const form = document.createElement("form");
form.dataset.find = "";
form.action = "/players/";
form.innerHTML = '<input name="q" value="ab"><p data-part="said"></p><div data-part="found">names with ab</div>';
document.body.append(form);

const asked = [];
const { fetch } = globalThis;
globalThis.fetch = (_address, { signal }) =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new DOMException("overtaken", "AbortError")));
    asked.push({ signal, answer: resolve });
  });
await import("../../static/js/site/find.js");

const found = form.querySelector('[data-part="found"]');

async function type(text, number) {
  form.elements.q.value = text;
  form.elements.q.dispatchEvent(new Event("input", { bubbles: true }));
  await until(() => asked.length >= number);
}

test("who goes back to what is shown is not shown what was asked meanwhile", async () => {
  await type("abc", 1);
  asked[0].answer(new Response("names with abc"));
  await until(() => found.textContent === "names with abc");
  await type("abcd", 2);
  await type("abc", 2);
  await until(() => asked[1].signal.aborted);
  equal(found.textContent, "names with abc");
  globalThis.fetch = fetch;
});
