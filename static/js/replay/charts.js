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

/** The px of a step of the pace chart, in its own units. */
const STEP = 10;

/**
 * Cards over time: the seat above grows upwards, the one below downwards.
 * @param {[number[], number[]]} rate by seat, the cards of each step of time
 * @param {0|1} bottom
 * @param {(share: number) => void} onPress a place in it was pressed, 0 to 1
 * @returns {{element: SVGElement, place: (steps: number) => void}} `place` puts the line of the present
 */
export function paceChart(rate, bottom, onPress) {
  const width = rate[0].length * STEP;
  const most = Math.max(1, ...rate[0], ...rate[1]);
  const box = { class: "pace-bars", viewBox: `0 -50 ${width} 100`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const svg = draw("svg", box);
  for (const seat of [0, 1]) {
    rate[seat].forEach((cards, at) => {
      const height = (cards / most) * 47;
      const y = seat === bottom ? 1 : -1 - height;
      if (cards) svg.append(draw("rect", { x: at * STEP + 1, width: STEP - 2, y, height, "data-seat": seat }));
    });
  }
  const now = draw("line", { class: "pace-now", x1: 0, x2: 0, y1: -50, y2: 50 });
  svg.append(draw("line", { class: "pace-zero", x1: 0, x2: width, y1: 0, y2: 0 }), now);
  svg.addEventListener("click", (event) => {
    const { left, width: wide } = svg.getBoundingClientRect();
    onPress((event.clientX - left) / wide);
  });
  return { element: svg, place: (steps) => now.setAttribute("transform", `translate(${(steps * STEP).toFixed(1)} 0)`) };
}
