/** The chat of those who watch: plain text, in the order of the server's numbers. The only writer of its DOM. */

import { timeOfDay } from "../site/times.js";
import { format, gettext } from "../text.js";

/** As many lines stay on the page. */
const KEPT = 200;
const KEY = "spit.chat";

export class Chat {
  /**
   * @param {HTMLElement} root with the parts of templates/stands/watch.html
   * @param {{send: (message: object) => boolean, post: (url: string, fields?: Record<string, string>) => Promise<Response>,
   *   onLine?: () => void}} page
   * @param {{chatIsOn: boolean, hasAccount: boolean, choose: string, report: string, signIn: string}} data
   */
  constructor(root, page, data) {
    const part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.root = root;
    this.page = page;
    this.data = data;
    this.lines = part("lines");
    this.note = part("chat-note");
    this.form = part("chat-form");
    this.isOn = data.chatIsOn && loadOn();
    this.last = 0;
    this.sent = "";
    this.box = part("chat-on");
    if (this.box) {
      this.box.checked = this.isOn;
      this.box.addEventListener("change", () => this.#switch(this.box.checked));
    }
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#say();
    });
    this.root.dataset.empty = "true";
    this.#showOn();
  }

  /** The line is open: hear what is said. */
  listen() {
    if (this.isOn) this.page.send({ t: "listen" });
  }

  /** @param {{lines: {n: number, name: string, text: string, at: number}[], gone?: number[], may?: string}} message */
  take({ lines, gone = [], may }) {
    // Nobody can stop listening: what comes while it is off is passed over, and comes again with the next `listen`.
    if (!this.isOn) return;
    for (const number of gone) this.lines.querySelector(`[data-n="${number}"]`)?.remove();
    const isAtEnd = this.lines.scrollHeight - this.lines.scrollTop - this.lines.clientHeight < 40;
    const fresh = lines.filter(({ n }) => n > this.last);
    for (const line of fresh) {
      this.last = line.n;
      this.lines.append(this.#line(line));
    }
    while (this.lines.children.length > KEPT) this.lines.firstElementChild.remove();
    if (fresh.length && isAtEnd) this.lines.scrollTop = this.lines.scrollHeight;
    if (fresh.length) this.page.onLine?.();
    if (may) this.#may(may, lines.length > 0);
    this.root.dataset.empty = String(!this.lines.children.length);
  }

  #line({ n, name, text, at }) {
    const item = document.createElement("p");
    item.dataset.n = String(n);
    const who = document.createElement("b");
    who.dir = "auto";
    who.textContent = name;
    const words = document.createElement("span");
    words.dir = "auto";
    words.textContent = text;
    item.title = timeOfDay(new Date(at * 1000));
    item.append(who, " ", words);
    if (this.data.hasAccount) {
      const report = document.createElement("button");
      report.type = "button";
      report.className = "stands-report";
      report.textContent = gettext("Report");
      report.setAttribute("aria-label", format(gettext("Report what %(name)s said"), { name }));
      report.addEventListener("click", () => this.#report(n, report));
      item.append(report);
    }
    return item;
  }

  /** Whether the reader may write, or why not. */
  #may(may, isFirst) {
    const sentences = {
      yes: "",
      off: gettext("There is no chat on this site."),
      sign_in: gettext("With an account you can write here."),
      playing: gettext("Who plays sees the chat when the match is over."),
      muted: gettext("You cannot write at the moment: somebody who looks after this site has decided so."),
      too_fast: gettext("A little slower, and nothing twice."),
      empty: gettext("There was nothing to be read in that."),
    };
    if (may === "too_fast" || may === "empty") {
      // It was not said: it is not lost either.
      this.form.elements.text.value ||= this.sent;
    } else if (!isFirst || may !== "yes" || this.form.hidden) {
      this.form.hidden = may !== "yes";
    }
    this.note.replaceChildren(sentences[may] ?? "");
    if (may === "sign_in") {
      const link = Object.assign(document.createElement("a"), { href: this.data.signIn, textContent: gettext("Sign in") });
      this.note.append(" ", link);
    }
  }

  #say() {
    const field = this.form.elements.text;
    const text = field.value.trim();
    if (!text || !this.page.send({ t: "say", text })) return;
    this.sent = text;
    this.note.textContent = "";
    field.value = "";
  }

  async #report(number, button) {
    button.disabled = true;
    const answer = await this.page.post(this.data.report.replace("/0/", `/${number}/`)).catch(() => null);
    button.textContent = answer?.ok ? gettext("Reported") : gettext("Not reported: try again");
    button.disabled = Boolean(answer?.ok);
  }

  #switch(on) {
    this.isOn = on;
    saveOn(on);
    if (this.data.hasAccount) this.page.post(this.data.choose, { has_chat: on ? "1" : "0" }).catch(() => {});
    this.#showOn();
    this.listen();
  }

  #showOn() {
    this.root.dataset.on = String(this.isOn);
    if (!this.isOn) {
      this.lines.replaceChildren();
      this.last = 0;
      this.form.hidden = true;
      this.note.textContent = gettext("The chat is off.");
    } else {
      this.note.textContent = "";
    }
  }
}

function loadOn() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

function saveOn(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Without storage it lasts as long as the page.
  }
}
