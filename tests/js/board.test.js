/** The board draws what a view says, from place names alone, and nothing that the reader may not know. */

import { createBoard } from "../../static/js/table/board.js";
import { diff } from "../../static/js/table/diff.js";
import { arrange } from "../../static/js/table/layout.js";
import { equal, ok, test } from "./harness.js";
import { MATCH, PLACES, viewOf } from "./samples.js";

async function boardOf(view, options = {}) {
  for (const name of ["tokens", "cards", "board"]) {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = `/static/css/${name}.css`;
    document.body.append(style);
    await new Promise((resolve) => (style.onload = resolve));
  }
  const root = document.createElement("div");
  root.style.cssText = "width:900px;height:700px";
  document.body.append(root);
  const board = createBoard(root, { match: MATCH, bottom: 0, interactive: true, ...options });
  board.render(view);
  return { board, root };
}

const drawn = (root) =>
  Object.fromEntries(
    [...root.querySelectorAll("[data-place]")].map((place) => [place.dataset.place, [place.dataset.card ?? null, Number(place.dataset.count)]]),
  );
const wanted = (places) =>
  Object.fromEntries(Object.entries(places).map(([name, pile]) => [name, [pile.at(-1)?.[0] === "-" ? "-" : (pile.at(-1) ?? null), pile.length]]));

test("every place is drawn with its top and its count", async () => {
  const { root } = await boardOf(viewOf());
  equal(drawn(root), wanted(PLACES));
});

test("a hundred random changes end where they should, mid-animation and all", async () => {
  const { board, root } = await boardOf(viewOf());
  const names = Object.keys(PLACES);
  let places = structuredClone(PLACES);
  for (let count = 0; count < 100; count += 1) {
    places = { ...places };
    const full = names.filter((name) => places[name].length);
    const from = full[(count * 7) % full.length];
    const to = names[(count * 5 + 3) % names.length];
    const card = places[from].at(-1);
    places[from] = places[from].slice(0, -1);
    places[to] = [...places[to], card];
    board.render(viewOf({}, places));
    if (count % 10 === 0) await new Promise(requestAnimationFrame);
  }
  equal(drawn(root), wanted(places));
  ok(root.querySelectorAll(".place-stack > .card").length <= names.length * 4, "as few elements as are seen");
});

test("a play starts where the card lay and ends on the pile", async () => {
  const { board, root } = await boardOf(viewOf());
  const from = board.element("0.stockpile.1").querySelector(".card").getBoundingClientRect();
  const places = { ...PLACES, "0.stockpile.1": [], "centre.0": [...PLACES["centre.0"], "7d"] };
  board.render(viewOf({}, places));
  const card = [...board.element("centre.0").querySelectorAll(".card")].at(-1);
  const start = card.getBoundingClientRect();
  ok(Math.abs(start.x - from.x) < 3 && Math.abs(start.y - from.y) < 3, "it begins in the place it leaves");
  await Promise.all(card.getAnimations().map((animation) => animation.finished));
  const stack = board.element("centre.0").querySelector(".place-stack").getBoundingClientRect();
  const end = card.getBoundingClientRect();
  ok(Math.abs(end.x - stack.x) < 1 && Math.abs(end.y - stack.y) < 1, "it lies on the pile");
  equal(root.querySelectorAll(".is-landing").length, 0);
});

test("known faces of face-down cards are drawn only when they are to be revealed", async () => {
  const places = { ...PLACES, "0.stockpile.2": ["-Kd", "-Qh"] };
  const { board, root } = await boardOf(viewOf({}, places));
  ok(!/Q|K/.test(board.element("0.stockpile.2").textContent), "no face in the text");
  ok(!/Qh|Kd/.test(root.innerHTML.replaceAll("Qd", "")), "nor anywhere else");
  board.render(viewOf({}, places), { reveal: true });
  equal(board.element("0.stockpile.2").querySelector("[data-depth='0']").dataset.face, "peek");
});

test("turned round, the other seat is below and its own pile on the right", async () => {
  const { board, root } = await boardOf(viewOf(), { interactive: false });
  equal([board.sideOf("centre.0"), board.sideOf("centre.1")], ["right", "left"]);
  board.setBottom(1);
  equal([board.sideOf("centre.0"), board.sideOf("centre.1")], ["left", "right"]);
  equal(root.querySelector(".board-seat-below").dataset.seat, "1");
  equal(drawn(root), wanted(PLACES));
});

test("left is left where the page runs from right to left", async () => {
  document.documentElement.dir = "rtl";
  try {
    const { board } = await boardOf(viewOf());
    const x = (place) => board.element(place).getBoundingClientRect().x;
    equal([board.sideOf("centre.0"), board.sideOf("centre.1")], ["right", "left"]);
    ok(x("centre.1") < x("centre.0"), "the left pile is on the left");
    ok(x("0.stockpile.1") < x("0.stockpile.5"), "and so is the first of the row, as its key");
  } finally {
    document.documentElement.dir = "";
  }
});

/** Contrast as the Web Content Accessibility Guidelines define it, of two computed colours. */
function contrast(one, other) {
  const luminance = (colour) => {
    const parts = colour.match(/\d+(\.\d+)?/g).slice(0, 3).map((part) => part / 255);
    const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test("an empty place, which can be pressed, is seen in every theme", async () => {
  const { board } = await boardOf(viewOf());
  const root = document.documentElement;
  const ground = document.createElement("i");
  document.body.append(ground);
  for (const theme of ["light", "dark", "contrast"]) {
    for (const scheme of theme === "contrast" ? ["light", "dark"] : [""]) {
      root.dataset.theme = theme;
      root.style.colorScheme = scheme;
      const edge = getComputedStyle(board.element("0.stockpile.4").querySelector(".place-stack")).boxShadow.match(/rgb[^)]*\)/)[0];
      for (const name of ["--bg", "--surface", "--surface-2"]) {
        ground.style.color = `var(${name})`;
        ok(contrast(edge, getComputedStyle(ground).color) >= 3, `${edge} on ${name}, ${theme} ${scheme}`);
      }
    }
  }
  delete root.dataset.theme;
  root.style.colorScheme = "";
});

test("what a seat has left is said in its own words", async () => {
  const { root } = await boardOf(viewOf());
  equal([...root.querySelectorAll(".plate-left")].map((left) => left.textContent), ["11 left", "13 left"]);
  equal(root.querySelector(".board-seat-below .plate-left b").textContent, "13");
});

test("any game is laid out from its names", () => {
  const names = ["pack", "side.0", "side.1", "centre.0", "centre.1", "0.stock", "1.stock"];
  for (const seat of [0, 1]) for (let number = 1; number <= 5; number += 1) names.push(`${seat}.hand.${number}`);
  const layout = arrange(names, 1);
  const plain = (places) => places.map((place) => place.name);
  equal(plain(layout.rows[1]), [1, 2, 3, 4, 5].map((number) => `1.hand.${number}`));
  equal(plain(layout.rows[0]), [5, 4, 3, 2, 1].map((number) => `0.hand.${number}`));
  equal(layout.piles.map(plain), [["side.0", "centre.0"], ["centre.1", "side.1"]]);
  equal(layout.supplies.map(plain), [["0.stock"], ["1.stock"]]);
  ok(layout.crowded);
});

test("a change knows which card went where", () => {
  const after = { ...PLACES, "0.stockpile.2": ["Kd"], "centre.0": [...PLACES["centre.0"], "3s"] };
  const { moves, flips } = diff(PLACES, after);
  equal(moves, [{ from: { place: "0.stockpile.2", index: 1 }, to: { place: "centre.0", index: 3 }, flipped: false }]);
  equal(flips, [{ place: "0.stockpile.2", index: 0 }]);
});

test("a turn comes from the spit cards of its own seat", () => {
  const after = {
    ...PLACES, "0.spit": ["-", "-"], "1.spit": ["-"], "centre.0": [...PLACES["centre.0"], "4d"], "centre.1": ["Ks", "9h"],
  };
  const { moves } = diff(PLACES, after);
  equal(moves.map(({ from, to, flipped }) => [from.place, to.place, flipped]).sort(), [["0.spit", "centre.0", true], ["1.spit", "centre.1", true]].sort());
});

test("a card under one that is still on its way does not move that one", () => {
  const before = { ...PLACES, "0.stockpile.1": [], "centre.0": ["8h", "7d"] };
  const after = { ...PLACES, "0.stockpile.1": [], "1.stockpile.1": [], "centre.0": ["8h", "9c", "7d"] };
  const { moves } = diff(before, after);
  equal(moves.map(({ from, to }) => [from.place, to.place, to.index]), [["1.stockpile.1", "centre.0", 1]]);
});

test("where colours alternate, the colour that fits is whispered too", async () => {
  const match = { ...MATCH, options: { ...MATCH.options, alternate: true } };
  const { board } = await boardOf(viewOf(), { match });
  equal(board.element("centre.0").querySelector(".place-whisper").textContent, "black 7 · 9");
  equal(board.element("centre.1").querySelector(".place-whisper").textContent, "red Q · A");
});

test("new side piles come from the centre beside them, and its top stays", () => {
  const before = { "side.0": [], "side.1": [], "centre.0": ["2d", "3d", "4d"], "centre.1": ["8s", "9s", "Ts"], "pack": [] };
  const after = { "side.0": ["-"], "side.1": ["-"], "centre.0": ["4d", "8s"], "centre.1": ["Ts", "2d"], "pack": [] };
  const { moves } = diff(before, after);
  equal(moves.filter(({ to }) => to.place.startsWith("side")).map(({ from, to }) => [from.place, to.place]).sort(), [
    ["centre.0", "side.0"], ["centre.1", "side.1"],
  ]);
  ok(!moves.some(({ to }) => to.index === 0 && to.place.startsWith("centre")), "the tops lie where they lay");
});

/** The places of each game, as the server lists them (games/rules/books). */
const own = (role, count) => [0, 1].flatMap((seat) => Array.from({ length: count }, (_, index) => `${seat}.${role}.${index + 1}`));
const CENTRE = ["centre.0", "centre.1"];
const GAMES = {
  spit: ["pack", ...own("stockpile", 5), "0.spit", "1.spit", ...CENTRE],
  "spit with four stockpiles": ["pack", ...own("stockpile", 4), "0.spit", "1.spit", ...CENTRE],
  "two-deck": [...own("row", 4), "0.deck", "1.deck", ...CENTRE],
  speed: ["pack", ...own("hand", 5), "0.stock", "1.stock", "side.0", "side.1", ...CENTRE],
};
const SIZES = [[320, 480], [360, 600], [414, 760], [800, 780], [740, 300], [1440, 780], [2560, 1260]];

for (const [game, names] of Object.entries(GAMES)) {
  test(`${game} fits every screen, and no card lies on another place's`, async () => {
    const places = Object.fromEntries(names.map((name) => [name, name === "pack" ? [] : ["8h"]]));
    const { root } = await boardOf({ ...viewOf(), places });
    for (const [width, height] of SIZES) {
      Object.assign(root.style, { width: `${width}px`, height: `${height}px` });
      const frame = root.getBoundingClientRect();
      const boxes = [...root.querySelectorAll(".place")]
        .filter((place) => place.dataset.role !== "pack")
        .map((place) => [place.dataset.place, place.querySelector(".place-stack").getBoundingClientRect()]);
      for (const [name, box] of boxes) {
        const isInside = box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
        ok(isInside && box.width >= 22, `${name} at ${width} × ${height}: from ${box.left - frame.left} to ${box.right - frame.left}`);
        for (const [other, its] of boxes) {
          if (other <= name) continue;
          const isApart = box.left >= its.right - 0.5 || its.left >= box.right - 0.5 || box.top >= its.bottom - 0.5 || its.top >= box.bottom - 0.5;
          ok(isApart, `${name} and ${other} at ${width} × ${height}`);
        }
      }
    }
  });
}
