/* The theme that was chosen, before anything is painted: loaded in the head, so it must stay tiny and classic. */

(function () {
  "use strict";
  var KEY = "spit.theme";
  var root = document.documentElement;

  function chosen() {
    try {
      return localStorage.getItem(KEY) || "auto";
    } catch {
      return "auto"; // No storage in this window: as the machine has it.
    }
  }

  function apply(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    document.querySelectorAll("[data-set-theme]").forEach(function (button) {
      button.setAttribute("aria-pressed", String(button.dataset.setTheme === theme));
    });
  }

  apply(chosen());
  document.addEventListener("DOMContentLoaded", function () {
    apply(chosen());
  });
  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-set-theme]");
    if (!button) return;
    try {
      localStorage.setItem(KEY, button.dataset.setTheme);
    } catch {
      // It lasts as long as the page.
    }
    apply(button.dataset.setTheme);
  });
  // Another tab chose.
  window.addEventListener("storage", function (event) {
    if (event.key === KEY) apply(chosen());
  });
})();
