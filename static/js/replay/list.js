/** The list of replays: a replay file that is dropped on it is opened where such files are. */

import { carry } from "./dropped.js";

const root = document.getElementById("replays");

for (const type of ["dragenter", "dragover"]) {
  document.addEventListener(type, (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    root.classList.add("is-dropping");
  });
}
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) root.classList.remove("is-dropping");
});
document.addEventListener("drop", (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  root.classList.remove("is-dropping");
  carry(file, root.dataset.opens);
});
