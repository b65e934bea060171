/** A match and nothing else: the overlay of a stream, the frame of another page. */

import { lineWord, stageLine } from "../table/words.js";
import { gettext } from "../text.js";
import { Show } from "./show.js";

const data = JSON.parse(document.getElementById("bare-data").textContent);
const root = document.getElementById("bare");
const part = (name) => root.querySelector(`[data-part="${name}"]`);

new Show(
  document.getElementById("board"),
  data.socket,
  {
    onChange(show) {
      const { line, view, match } = show.session;
      root.dataset.line = show.isOver && line === "open" ? "over" : line;
      if (part("line")) part("line").textContent = show.isOver && line === "open" ? gettext("over") : lineWord(line);
      if (part("round") && view) part("round").textContent = stageLine(match, view);
    },
  },
  { bottom: data.bottom },
).start();
