/** The small charts of the figures, as SVG that CSS colours: `data-seat` says whose a bar is. */

const SVG = "http://www.w3.org/2000/svg";

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Two values as one line that grows from its middle to either side.
 * @param {[number|null, number|null]} values left and right
 * @param {[0|1, 0|1]} seats whose they are
 */
export function faceBars(values, seats) {
  const most = Math.max(...values.map((value) => value ?? 0)) || 1;
  const box = { class: "figure-bars", viewBox: "0 0 200 4", preserveAspectRatio: "none", "aria-hidden": "true" };
  const svg = draw("svg", box);
  values.forEach((value, at) => {
    const width = ((value ?? 0) / most) * 98;
    svg.append(
      draw("rect", { class: "figure-ground", x: at ? 102 : 0, y: 0, width: 98, height: 4 }),
      draw("rect", { class: "figure-bar", x: at ? 102 : 98 - width, y: 0, width, height: 4, "data-seat": seats[at] }),
    );
  });
  return svg;
}

/** The px of a step of a chart, in its own units. */
const STEP = 10;

/**
 * Bars over time or over turns: those of the seat above grow upwards, those of the seat below downwards.
 * @param {[(number|null)[], (number|null)[]]} values by seat, one for each step
 * @param {0|1} bottom
 * @param {object} options
 * @param {(step: number) => void} options.onPress a place was pressed; the step, with its fraction
 * @param {number} [options.most] the value of the full height; what is higher is cut
 * @param {boolean} [options.dots] a dot at the end of a thin bar, for values that are single and not sums
 * @returns {{element: SVGElement, place: (step: number) => void}} `place` puts the line of the present
 */
export function mirrorChart(values, bottom, { onPress, most, dots = false }) {
  const width = Math.max(1, values[0].length) * STEP;
  const full = most ?? Math.max(1, ...values[0], ...values[1]);
  const box = { class: "pace-bars", viewBox: `0 -50 ${width} 100`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const svg = draw("svg", box);
  for (const seat of [0, 1]) {
    values[seat].forEach((value, at) => {
      if (!value) return;
      const height = Math.min(1, value / full) * 46;
      const y = seat === bottom ? 1 : -1 - height;
      const [x, wide] = dots ? [at * STEP + STEP * 0.35, STEP * 0.3] : [at * STEP + 1, STEP - 2];
      svg.append(draw("rect", { x, width: wide, y, height, "data-seat": seat, "data-cut": value > full }));
    });
  }
  const now = draw("line", { class: "pace-now", x1: 0, x2: 0, y1: -50, y2: 50 });
  svg.append(draw("line", { class: "pace-zero", x1: 0, x2: width, y1: 0, y2: 0 }), now);
  svg.addEventListener("click", (event) => {
    const { left, width: wide } = svg.getBoundingClientRect();
    onPress(((event.clientX - left) / wide) * values[0].length);
  });
  return { element: svg, place: (step) => now.setAttribute("transform", `translate(${(step * STEP).toFixed(1)} 0)`) };
}

/**
 * Where the time went: parts of one bar.
 * @param {{name: string, ms: number}[]} parts `name` is the class behind `share-of-`
 */
export function shareBar(parts) {
  const whole = parts.reduce((sum, part) => sum + part.ms, 0) || 1;
  const box = { class: "share-bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" };
  const svg = draw("svg", box);
  let x = 0;
  for (const { name, ms } of parts) {
    const width = (ms / whole) * 100;
    svg.append(draw("rect", { class: `share-of-${name}`, x, y: 0, width, height: 6 }));
    x += width;
  }
  return svg;
}
