/** Forms marked `data-once` are sent once, however often the button is pressed. */

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-once]")) return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "true";
  if (event.submitter) event.submitter.dataset.busy = "true";
});

// Back from the match to a page that the browser has kept: the next press means another match.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const form of document.querySelectorAll("form[data-once]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[data-busy]")) delete button.dataset.busy;
    const token = form.querySelector("input[name=token]");
    if (token) token.value = newToken();
  }
});

/** A random UUID; `crypto.randomUUID` is missing on plain http. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
