/** Moments are said in the reader's time zone, by the clock that was chosen: those marked `data-clock`, and what scripts write. */

import { preferences } from "./preferences.js";

/** @param {Intl.DateTimeFormatOptions} parts */
const formatOf = (parts) =>
  new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
    ...parts,
    hourCycle: preferences.get("clock") === "12" ? "h12" : "h23",
  });

/** A day and the time on it. @param {Date} moment */
export const dayAndTime = (moment) => formatOf({ dateStyle: "medium", timeStyle: "short" }).format(moment);

/** The time of a day, to the second. @param {Date} moment */
export const timeOfDay = (moment) => formatOf({ timeStyle: "medium" }).format(moment);

function show() {
  const format = formatOf({ dateStyle: "medium", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[data-clock]")) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.getTime())) time.textContent = format.format(moment);
  }
}

preferences.addEventListener("change", show);
show();
