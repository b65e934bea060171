/** The replay page and its embedded form: fetches the course of the match and shows it. */

import { gettext } from "../text.js";
import { BadDocument, fetchCourse } from "./document.js";
import { showReplay } from "./page.js";

const root = document.getElementById("replay");

try {
  const match = JSON.parse(document.getElementById("replay-match").textContent);
  showReplay(root, await fetchCourse(root.dataset.course, match));
} catch (error) {
  root.dataset.state = "failed";
  const isKnown = error instanceof BadDocument;
  root.querySelector('[data-part="loading"]').textContent = isKnown
    ? error.message
    : gettext("The replay could not be shown.");
  // Not the document's fault but the page's: that belongs into the console.
  if (!isKnown) throw error;
}
