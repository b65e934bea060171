/** Moments marked `data-clock` are said in the reader's time zone, by the clock that was chosen. */

import { preferences } from "./preferences.js";

function show() {
  const language = document.documentElement.lang || undefined;
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle: preferences.get("clock") === "12" ? "h12" : "h23",
  });
  for (const time of document.querySelectorAll("time[data-clock]")) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.getTime())) time.textContent = format.format(moment);
  }
}

preferences.addEventListener("change", show);
show();
