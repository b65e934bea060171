/** The chat of those who watch: what is shown, and what is not while it is off. */

import { Chat } from "../../static/js/stands/chat.js";
import { equal, ok, test } from "./harness.js";

function chat() {
  localStorage.removeItem("spit.chat");
  const root = document.createElement("section");
  root.innerHTML = `<input type="checkbox" data-part="chat-on"><div data-part="lines"></div><p data-part="chat-note"></p>
    <form data-part="chat-form" hidden><input name="text"></form>`;
  document.body.append(root);
  const sent = [];
  let news = 0;
  const page = { send: (message) => sent.push(message.t), post: async () => ({ ok: true }), onLine: () => (news += 1) };
  const it = new Chat(root, page, { chatIsOn: true, hasAccount: false, choose: "", report: "", signIn: "" });
  const texts = () => [...root.querySelectorAll("[data-part=lines] span")].map((span) => span.textContent);
  const turn = (on) => {
    root.querySelector("[data-part=chat-on]").checked = on;
    root.querySelector("[data-part=chat-on]").dispatchEvent(new Event("change"));
  };
  return { it, sent, texts, turn, news: () => news };
}

const line = (n) => ({ n, name: "Ann", text: `line ${n}`, at: 0 });

test("a line that is sent twice is shown once", () => {
  const { it, texts } = chat();
  it.take({ lines: [line(1), line(2)], may: "yes" });
  it.take({ lines: [line(1), line(2), line(3)] });
  equal(texts(), ["line 1", "line 2", "line 3"]);
});

test("what is said while it is off is no news, and all of it is there when it is on again", () => {
  const { it, sent, texts, turn, news } = chat();
  it.take({ lines: [line(1)], may: "yes" });
  turn(false);
  equal(texts(), []);
  it.take({ lines: [line(2)] });
  equal([texts(), news()], [[], 1]);
  turn(true);
  equal(sent, ["listen"]);
  it.take({ lines: [line(1), line(2)], may: "yes" });
  equal(texts(), ["line 1", "line 2"]);
  ok(!document.querySelector("[data-part=chat-form]").hidden);
  localStorage.removeItem("spit.chat");
});
