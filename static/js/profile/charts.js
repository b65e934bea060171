/** Pointing at a chart tells the value there; a press opens the match. The chart itself is drawn by the server. */

import { shortSpan } from "../replay/moment.js";

const DAY = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" });

for (const figure of document.querySelectorAll("[data-chart]")) pointAt(figure);

/** @param {HTMLElement} figure */
function pointAt(figure) {
  /** @type {[number, number, number, number, string|null][]} places from 0 to 1, a value, when it was, an address */
  const points = JSON.parse(document.getElementById(figure.dataset.chart).textContent);
  const plot = figure.querySelector(".chart-plot");
  const mark = make("span", "chart-mark");
  const tip = make("span", "chart-tip");
  const value = make("b", "");
  const label = make("span", "dim");
  tip.append(value, label);
  plot.append(mark, tip);
  hide();

  /** @param {PointerEvent} event */
  function nearest(event) {
    const { left, width } = plot.getBoundingClientRect();
    const at = Math.min(1, Math.max(0, (event.clientX - left) / width));
    return points[Math.round(at * (points.length - 1))];
  }

  function hide() {
    mark.hidden = tip.hidden = true;
  }

  plot.addEventListener("pointermove", (event) => {
    const [x, y, number, at, url] = nearest(event);
    const { width, height } = plot.getBoundingClientRect();
    value.textContent = figure.dataset.unit === "ms" ? shortSpan(number) : String(number);
    label.textContent = DAY.format(at);
    mark.hidden = tip.hidden = false;
    mark.style.translate = `${x * width}px ${y * height}px`;
    const room = tip.offsetWidth;
    tip.style.translate = `${Math.min(width - room, Math.max(0, x * width - room / 2))}px ${Math.max(0, y * height - 44)}px`;
    plot.classList.toggle("is-link", Boolean(url));
  });
  plot.addEventListener("pointerleave", hide);
  plot.addEventListener("click", (event) => {
    const url = nearest(event)[4];
    // A finger points first, and reads.
    if (url && event.pointerType !== "touch") location.assign(url);
  });
}

function make(tag, name) {
  const element = document.createElement(tag);
  element.className = name;
  return element;
}
