/** Paints the lanes of the timeline on a canvas: once for each size, zoom, side or theme, never for a seek. */

/**
 * @typedef {object} Inks colours as CSS has them
 * @property {[string, string]} seats by seat
 * @property {string} lane
 * @property {string} line
 * @property {string} dim
 * @property {string} text
 * @property {string} bad
 * @property {string} go
 * @property {string} ground
 */

/** Between the two lanes, px. */
export const GAP = 6;
const RADIUS = 6;

/** The first of the sorted items whose end lies at or after a time. */
function firstAfter(items, ms, read) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (read(items[middle]) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * @param {CanvasRenderingContext2D} canvas already scaled to CSS pixels
 * @param {{width: number, height: number}} size
 * @param {import("./outline.js").Outline} outline
 * @param {import("./scale.js").Scale} scale
 * @param {{inks: Inks, bottom: 0|1}} look
 */
export function paintLanes(canvas, { width, height }, outline, scale, { inks, bottom }) {
  const tall = (height - GAP) / 2;
  /** The top edge of a seat's lane. */
  const topOf = (seat) => (seat === bottom ? tall + GAP : 0);
  canvas.clearRect(0, 0, width, height);
  for (const seat of [0, 1]) {
    canvas.save();
    canvas.beginPath();
    canvas.roundRect(0, topOf(seat), width, tall, RADIUS);
    canvas.clip();
    canvas.fillStyle = inks.lane;
    canvas.fillRect(0, topOf(seat), width, tall);
    paintLeft(canvas, outline.left[seat], outline.most, scale, topOf(seat), tall, inks.seats[seat], width);
    paintWaits(canvas, outline.waits, scale, topOf(seat), tall, inks, width);
    canvas.restore();
  }
  paintTurns(canvas, outline.turns, scale, height, inks, width);
  paintMarks(canvas, outline, scale, { topOf, tall, height, width }, inks);
}

/** The cards left, as a quiet hill behind the ticks: full height is the most that anybody ever held. */
function paintLeft(canvas, steps, most, scale, top, tall, ink, width) {
  const y = (count) => top + tall - (count / most) * (tall - 3);
  canvas.beginPath();
  let at = Math.max(0, firstAfter(steps, scale.from, (step) => step[0]) - 1);
  let level = y(steps[at]?.[1] ?? 0);
  canvas.moveTo(0, level);
  for (; at < steps.length; at += 1) {
    const x = Math.max(0, scale.x(steps[at][0]));
    if (x > width) break;
    canvas.lineTo(x, level);
    level = y(steps[at][1]);
    canvas.lineTo(x, level);
  }
  canvas.lineTo(width, level);
  canvas.strokeStyle = ink;
  canvas.lineWidth = 1;
  canvas.globalAlpha = 0.6;
  canvas.stroke();
  canvas.lineTo(width, top + tall);
  canvas.lineTo(0, top + tall);
  canvas.fillStyle = ink;
  canvas.globalAlpha = 0.17;
  canvas.fill();
  canvas.globalAlpha = 1;
}

/** When nobody could play: veiled; stuck is hatched too. */
function paintWaits(canvas, waits, scale, top, tall, inks, width) {
  for (const wait of waits) {
    const left = scale.x(wait.from);
    const right = scale.x(wait.to);
    if (right < 0 || left > width || right - left < 0.5) continue;
    canvas.fillStyle = wait.kind === "slap" ? inks.go : inks.ground;
    canvas.globalAlpha = wait.kind === "slap" ? 0.3 : 0.62;
    canvas.fillRect(left, top, right - left, tall);
    canvas.globalAlpha = 1;
    if (wait.kind !== "stuck") continue;
    canvas.save();
    canvas.beginPath();
    canvas.rect(left, top, right - left, tall);
    canvas.clip();
    canvas.beginPath();
    const first = Math.floor((Math.max(left, 0) - tall) / 5) * 5;
    for (let x = first; x < Math.min(right, width); x += 5) {
      canvas.moveTo(x, top + tall);
      canvas.lineTo(x + tall, top);
    }
    canvas.strokeStyle = inks.line;
    canvas.lineWidth = 1;
    canvas.stroke();
    canvas.restore();
  }
}

/** Turns belong to both: a fine line through both lanes, a diamond between them. */
function paintTurns(canvas, turns, scale, height, inks, width) {
  canvas.fillStyle = inks.dim;
  const middle = height / 2;
  let last = -Infinity;
  for (let at = firstAfter(turns, scale.from, (turn) => turn.at); at < turns.length; at += 1) {
    const x = scale.x(turns[at].at);
    if (x > width) break;
    canvas.globalAlpha = 0.55;
    canvas.fillRect(x - 0.5, 0, 1, height);
    if (x - last < 10) continue;
    last = x;
    canvas.globalAlpha = 1;
    canvas.beginPath();
    canvas.moveTo(x, middle - 4.5);
    canvas.lineTo(x + 4.5, middle);
    canvas.lineTo(x, middle + 4.5);
    canvas.lineTo(x - 4.5, middle);
    canvas.fill();
  }
  canvas.globalAlpha = 1;
}

function paintMarks(canvas, { marks }, scale, { topOf, tall, height, width }, inks) {
  const beyond = scale.span * 0.02;
  const first = firstAfter(marks, scale.from - beyond, (mark) => mark.at);
  const end = firstAfter(marks, scale.to + beyond, (mark) => mark.at);
  // Crowded ticks get thinner and paler, so that dense play reads as a darker stretch and not as a bar.
  const room = width / Math.max(1, end - first);
  const thick = Math.min(2.5, Math.max(1.2, room * 0.45));
  const pale = Math.min(1, Math.max(0.45, room / 1.6));
  const special = [];
  for (let at = first; at < end; at += 1) {
    const mark = marks[at];
    if (mark.kind !== "play" && mark.kind !== "action") {
      special.push(mark);
      continue;
    }
    const inset = mark.kind === "play" ? tall * 0.2 : tall * 0.38;
    canvas.globalAlpha = mark.kind === "play" ? pale : pale * 0.7;
    canvas.fillStyle = inks.seats[mark.seat];
    canvas.fillRect(scale.x(mark.at) - thick / 2, topOf(mark.seat) + inset, thick, tall - 2 * inset);
  }
  canvas.globalAlpha = 1;
  const size = Math.min(1, Math.max(0.55, room / 3));
  for (const mark of special) paintSpecial(canvas, mark, scale, { topOf, tall, height, size }, inks);
}

function paintSpecial(canvas, mark, scale, { topOf, tall, height, size }, inks) {
  const x = scale.x(mark.at);
  const top = mark.seat === null ? 0 : topOf(mark.seat);
  const middle = top + tall / 2;
  const seatInk = mark.seat === null ? inks.text : inks.seats[mark.seat];
  switch (mark.kind) {
    case "missed": {
      // A bracket around the race, and a cross in the lane of the one who was late.
      const from = scale.x(mark.won);
      canvas.strokeStyle = inks.bad;
      canvas.lineWidth = 1.5;
      if (size === 1) {
        canvas.beginPath();
        canvas.roundRect(from - 4, 1, x - from + 8, height - 2, 4);
        canvas.stroke();
      } else {
        canvas.fillStyle = inks.bad;
        canvas.fillRect(x - 0.75, top + 2, 1.5, tall - 4);
      }
      const arm = 3 * size;
      canvas.beginPath();
      canvas.moveTo(x - arm, middle - arm);
      canvas.lineTo(x + arm, middle + arm);
      canvas.moveTo(x + arm, middle - arm);
      canvas.lineTo(x - arm, middle + arm);
      canvas.stroke();
      break;
    }
    case "slap":
      dot(canvas, x, mark.seat === null ? height / 2 : middle, 5.5 * size, seatInk, inks.ground);
      break;
    case "out":
      canvas.strokeStyle = seatInk;
      canvas.lineWidth = 2;
      canvas.beginPath();
      canvas.arc(x, middle, 4 * size, 0, 2 * Math.PI);
      canvas.stroke();
      break;
    case "called":
      if (size < 0.8) break;
      canvas.fillStyle = seatInk;
      canvas.beginPath();
      canvas.moveTo(x - 3.5, top + 1);
      canvas.lineTo(x + 3.5, top + 1);
      canvas.lineTo(x, top + 6);
      canvas.fill();
      break;
    case "warned":
      dot(canvas, x, top + tall - 5, 3, inks.bad, inks.ground);
      break;
  }
}

function dot(canvas, x, y, radius, ink, rim) {
  canvas.beginPath();
  canvas.arc(x, y, radius, 0, 2 * Math.PI);
  canvas.fillStyle = ink;
  canvas.fill();
  canvas.strokeStyle = rim;
  canvas.lineWidth = 2;
  canvas.stroke();
}
