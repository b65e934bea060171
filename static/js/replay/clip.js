/** The page of a clip that is being made: looks every second whether it is there. */

const EVERY = 1000;
const part = document.getElementById("clip-state");

if (part?.querySelector("[data-waiting]")) look();

async function look() {
  await new Promise((done) => setTimeout(done, EVERY));
  try {
    const answer = await fetch(part.dataset.clipState, { headers: { Accept: "text/html" } });
    const html = answer.ok ? await answer.text() : "";
    // The site's own template.
    if (html && !html.includes("data-waiting")) {
      part.innerHTML = html;
      // It can be tried again.
      document.getElementById("clip-form").hidden = !html.includes("data-failed");
      return;
    }
  } catch {
    // No line at this moment: the next look comes soon.
  }
  look();
}
