/**
 * A person at the table who needs no prompting: reads what is drawn, presses keys. It is given to a page as a function.
 *
 * The quick one plays whatever fits; the slow one only when the other has nothing to play, so that a match is short.
 * Each watches too: `seen` keeps what was drawn for everybody to see after each event, unless an own card was still on
 * its way.
 */
(pace) => {
  const RANKS = "A23456789TJQK";
  const EVERY_MS = 45;
  const board = document.getElementById("board");
  const seen = {};
  window.autoplay = { seen, isOn: pace !== "watch" };

  const fits = (card, top) => {
    const steps = (RANKS.indexOf(card[0]) - RANKS.indexOf(top[0]) + 13) % 13;
    return steps === 1 || steps === 12;
  };
  const isOpen = (place) => place.card !== null && place.card !== "-";
  const look = () =>
    [...board.querySelectorAll("[data-place]")].map(({ dataset, classList }) => ({
      name: dataset.place,
      card: dataset.card ?? null,
      count: Number(dataset.count),
      side: dataset.side,
      glows: classList.contains("is-glowing"),
    }));
  const note = () => {
    if (board.dataset.seq === undefined || board.querySelector(".is-pending")) return;
    seen[board.dataset.seq] = Object.fromEntries(look().map(({ name, card, count }) => [name, [card, count]]));
  };
  new MutationObserver(note).observe(board, { attributeFilter: ["data-seq"] });
  note();
  if (pace === "watch") return;

  const press = (...codes) => {
    for (const code of codes) {
      for (const type of ["keydown", "keyup"]) document.body.dispatchEvent(new KeyboardEvent(type, { code, bubbles: true }));
    }
  };
  const keyOf = ({ name, side }) => {
    if (side) return side === "left" ? "KeyJ" : "KeyK";
    return `Key${"ASDFG"[name.split(".")[2] - 1]}`;
  };
  /** What a seat could do that helps it on: a play, else a move that turns up a card. */
  const playOf = (places, seat) => {
    const own = places.filter(({ name }) => /^\d\.(stockpile|row|hand)\./.test(name) && name.startsWith(`${seat}.`));
    const piles = places.filter(({ name, ...place }) => name.startsWith("centre.") && isOpen(place));
    for (const from of own.filter(isOpen)) for (const to of piles) if (fits(from.card, to.card)) return [from, to];
    // By hand: a card to turn up, or a place to fill.
    const supply = places.find(({ name }) => name === `${seat}.deck` || name === `${seat}.stock`);
    const closed = own.find(({ card, count, name }) => card === "-" || (!count && supply?.count && !name.includes("stockpile")));
    if (closed) return [closed];
    if (supply) return null;
    const space = own.find(({ count }) => !count);
    const covering = own.find((place) => place.count > 1 && isOpen(place));
    return space && covering ? [covering, space] : null;
  };

  setInterval(() => {
    const you = Number(document.getElementById("table").dataset.you);
    const hub = board.querySelector(".hub");
    if (!window.autoplay.isOn || board.querySelector(".is-pending")) return;
    const { phase } = board.dataset;
    const places = look();
    const isAsked = hub?.ariaDisabled === "false";
    if (phase === "ready" && isAsked) press("Space");
    else if (phase === "slap") {
      const [one, other] = places.filter(({ glows }) => glows);
      if (other && pace === "quick") press(keyOf(one.count < other.count ? one : other));
    } else if (phase === "playing" || phase === "stuck") {
      const mine = pace === "slow" && playOf(places, 1 - you) ? null : playOf(places, you);
      if (mine) press(...mine.map(keyOf));
      else if (phase === "stuck" && isAsked) press("Space");
    }
  }, EVERY_MS);
}
