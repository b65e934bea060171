/**
 * Whatever on a page chooses: buttons marked `data-choose="NAME=VALUE"`, of which the one that holds is down, and fields
 * marked `data-choice`, named as the preference. Another tab, or another part of this page, may choose too.
 */

import { preferences } from "./preferences.js";

/** @param {ParentNode} [within] */
function show(within = document) {
  for (const button of within.querySelectorAll("[data-choose]")) {
    const [name, value] = button.dataset.choose.split("=");
    button.setAttribute("aria-pressed", String(preferences.get(name) === value));
  }
  for (const field of within.querySelectorAll("[data-choice]")) {
    if (field.type === "radio") field.checked = preferences.get(field.name) === field.value;
    else field.value = preferences.get(field.name);
  }
  for (const output of within.querySelectorAll("[data-shows]")) output.value = `${preferences.get(output.dataset.shows)} %`;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-choose]");
  if (!button) return;
  const [name, value] = button.dataset.choose.split("=");
  preferences.set({ [name]: value });
});

document.addEventListener("input", (event) => {
  const field = event.target.closest?.("[data-choice]");
  if (field) preferences.set({ [field.name]: field.value });
});

preferences.addEventListener("change", () => show());
show();

// The bar of the browser itself is coloured by the page.
const schemes = document.querySelector("meta[name=color-scheme]");
preferences.addEventListener("change", () => {
  const theme = preferences.get("theme");
  if (schemes) schemes.content = ["light", "dark"].includes(theme) ? theme : "light dark";
});
