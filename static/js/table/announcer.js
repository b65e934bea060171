/**
 * What happens, for those who listen: short sentences in a live region. What concerns the listener at once; a stream of
 * the other's plays only as the last of them, so that speech never falls behind the table.
 */

const GATHER_MS = 700;

export class Announcer {
  /** @param {HTMLElement} root where the two live regions go */
  constructor(root) {
    this.urgent = this.#region(root, "assertive");
    this.calm = this.#region(root, "polite");
    this.timer = 0;
    this.waiting = "";
  }

  #region(root, politeness) {
    const element = document.createElement("p");
    element.className = "visually-hidden";
    element.setAttribute("aria-live", politeness);
    root.append(element);
    return element;
  }

  /** Say something that cannot wait. @param {string} text */
  say(text) {
    this.urgent.textContent = text;
  }

  /** Say something unless more of the kind follows. @param {string} text */
  mention(text) {
    this.waiting = text;
    this.timer ||= setTimeout(() => {
      this.timer = 0;
      this.calm.textContent = this.waiting;
    }, GATHER_MS);
  }
}
