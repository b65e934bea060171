/**
 * What the reader has chosen, for all scripts: one object, `preferences`, with a `change` event.
 *
 * The page brings the values along (`<html data-preferences>`), from the account or from the browser's cookie. What is
 * chosen here takes effect at once: the attributes of `<html>` that stylesheets look at, the cookie, the other tabs; and
 * goes to the account of who has one.
 */

import { CONTROLS, PREFERENCES } from "./catalogue.js";
import { post } from "./token.js";

const COOKIE = "preferences";
const KEPT_FOR = 400 * 24 * 60 * 60;
/** A slider that is dragged is sent when it rests, in ms. */
const SEND_AFTER = 400;

/** @param {string} name */
const defaultOf = (name) => (PREFERENCES[name] ?? CONTROLS[name])?.default;

/** Whether there is that preference and it can have that value; keys are looked at by the server. */
function isValue(name, value) {
  if (PREFERENCES[name]) return PREFERENCES[name].values.includes(value);
  return name in CONTROLS && value.length > 0 && value.length < 24;
}

/** Of the account alone: never in the cookie. @param {string} name */
const isPrivate = (name) => Boolean(PREFERENCES[name]?.private);

/** @param {[string, string][]} chosen */
const written = (chosen) => new URLSearchParams(chosen.sort(([a], [b]) => (a < b ? -1 : 1))).toString();

export class Preferences extends EventTarget {
  /** @type {Map<string, string>} what is not as by default */
  #chosen = new Map();
  /** Changed here and not yet with the account. @type {Map<string, string>} */
  #unsent = new Map();
  #timer = 0;

  /**
   * @param {HTMLElement} root `<html>`
   * @param {{address?: string}} [options] where an account's are kept; without it they stay in the browser
   */
  constructor(root, { address = "" } = {}) {
    super();
    this.root = root;
    this.address = address;
    this.channel = globalThis.BroadcastChannel ? new BroadcastChannel("preferences") : null;
    this.channel?.addEventListener("message", ({ data: { text, isAccount } }) => {
      // A tab where nobody is signed in, any more or yet, knows nothing of what is private, and is to learn nothing.
      this.#take(text, (name) => !isPrivate(name) || (isAccount && Boolean(this.address)));
    });
    this.#read(root.dataset.preferences ?? "");
    addEventListener("pagehide", () => this.#send());
    // Back on a page that the browser had put aside: something may have been chosen since.
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.#take(cookie(), (name) => !isPrivate(name));
    });
  }

  /** @param {string} name @returns {string} */
  get(name) {
    return this.#chosen.get(name) ?? defaultOf(name);
  }

  /** Whether a preference of On and Off is on. @param {string} name */
  isOn(name) {
    return this.get(name) === "on";
  }

  /** The key of a control. @param {string} scope @param {string} control */
  key(scope, control) {
    return this.get(`key.${scope}.${control}`);
  }

  /** What was chosen and may be in the browser, as the server writes it. */
  get text() {
    return written([...this.#chosen].filter(([name]) => !isPrivate(name)));
  }

  /** Choose. @param {Record<string, string>} changes */
  set(changes) {
    const made = Object.entries(changes).filter(([name, value]) => isValue(name, value) && this.get(name) !== value);
    if (!made.length) return;
    for (const [name, value] of made) {
      this.#put(name, value);
      this.#unsent.set(name, value);
    }
    remember(this.text);
    this.channel?.postMessage({ text: written([...this.#chosen]), isAccount: Boolean(this.address) });
    clearTimeout(this.#timer);
    if (this.address) this.#timer = setTimeout(() => this.#send(), SEND_AFTER);
    this.#tell(made.map(([name]) => name));
  }

  /** As it was in the beginning. @param {(name: string) => boolean} [which] */
  reset(which = () => true) {
    this.set(Object.fromEntries([...this.#chosen.keys()].filter(which).map((name) => [name, defaultOf(name)])));
  }

  #put(name, value) {
    if (value === defaultOf(name)) this.#chosen.delete(name);
    else this.#chosen.set(name, value);
    if (!PREFERENCES[name]?.seen) return;
    if (value === defaultOf(name)) delete this.root.dataset[name];
    else this.root.dataset[name] = value;
  }

  #read(text, which = (_name) => true) {
    for (const [name, value] of new URLSearchParams(text)) if (which(name) && isValue(name, value)) this.#put(name, value);
  }

  /**
   * What another tab has chosen, or was chosen while this one was put aside.
   *
   * @param {string} text
   * @param {(name: string) => boolean} which what the text says everything of; the rest is left alone
   */
  #take(text, which) {
    const before = new Map(this.#chosen);
    for (const name of before.keys()) if (which(name)) this.#put(name, defaultOf(name));
    this.#read(text, which);
    const names = [...new Set([...before.keys(), ...this.#chosen.keys()])];
    const changed = names.filter((name) => (before.get(name) ?? defaultOf(name)) !== this.get(name));
    if (changed.length) this.#tell(changed);
  }

  #tell(names) {
    this.dispatchEvent(new CustomEvent("change", { detail: { names } }));
  }

  async #send() {
    clearTimeout(this.#timer);
    if (!this.address || !this.#unsent.size) return;
    const sent = new Map(this.#unsent);
    this.#unsent.clear();
    try {
      const answer = await post(this.address, new URLSearchParams([...sent]), { keepalive: true });
      if (!answer.ok) throw new Error(String(answer.status));
      this.dispatchEvent(new Event("kept"));
    } catch {
      // No line, or signed out meanwhile: it is in this browser, and goes along with what is chosen next.
      for (const [name, value] of sent) if (!this.#unsent.has(name)) this.#unsent.set(name, value);
      this.dispatchEvent(new Event("unkept"));
    }
  }
}

/** What the browser's cookie says. */
function cookie() {
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${COOKIE}=`));
  return (found ?? "").slice(COOKIE.length + 1).replace(/^"|"$/g, "");
}

/** @param {string} text */
function remember(text) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${COOKIE}=${text}; Path=/; Max-Age=${KEPT_FOR}; SameSite=Lax${secure}`;
}

const root = document.documentElement;

/** Those of the reader of this page. */
export const preferences = new Preferences(root, { address: root.dataset.keeps ?? "" });

// The account's are the browser's too, for the time after signing out.
if (root.dataset.keeps && cookie() !== preferences.text) remember(preferences.text);
