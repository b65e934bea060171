/**
 * A server of a two-deck match, inside the page, in which both sides can play for ever so fast: the cards lie in such an order
 * that the next one of each row always fits. It is given to a page before its own scripts, in place of the line.
 *
 * `rally.start(ms)` lets the other side play a card every so many ms; own plays are answered `rally.LAG` ms later.
 */
(() => {
  const RANKS = "A23456789TJQK";
  const SUITS = "shdc";
  const pack = (mark) => [...Array(52).keys()].map((n) => RANKS[n % 13] + SUITS[Math.floor(n / 13)] + mark);
  const pace = { key: "normal", countdown: 3000, stuck: 1500, slap: 5000, warning: 10000, inactive: 30000, grace: 30000 };
  const status = {
    phase: "playing", round: 1, since: 0, due: null, ready: [false, false], turns: 0, starts: ["centre.0", "centre.1"],
    alone: null, chooser: null, result: null, game: 1, score: [0, 0], last: null, first_round: 1,
  };
  const decks = [pack("").slice(1).reverse(), pack("'").slice(1).reverse()];
  const places = { pack: [], "centre.0": ["As"], "centre.1": ["As'"] };
  for (const seat of [0, 1]) {
    for (const n of [1, 2, 3, 4]) places[`${seat}.row.${n}`] = [decks[seat].pop()];
    places[`${seat}.deck`] = decks[seat].map(() => "-");
  }
  const rally = { LAG: 20, played: 0, late: 0, seq: 1 };
  window.rally = rally;
  const now = () => Math.round(performance.now());
  let line = null;
  const tell = (message) => line?.onmessage?.({ data: JSON.stringify(message) });

  function play(seat, place, command) {
    const name = `${seat}.row.${place}`;
    const card = places[name].pop();
    const to = `centre.${seat}`;
    places[to].push(card);
    const moves = [[card, name, to]];
    const next = decks[seat].pop();
    if (next) {
      places[`${seat}.deck`].pop();
      places[name].push(next);
      moves.push([next, `${seat}.deck`, name]);
    }
    rally.seq += 1;
    rally.played += 1;
    tell({ t: "events", seq: rally.seq, now: now(), events: [{ kind: "played", at: now(), seat, moves, status, command }] });
  }

  class Line {
    static OPEN = 1;
    static CONNECTING = 0;
    constructor() {
      line = this;
      this.readyState = 1;
      setTimeout(() => {
        this.onopen?.();
        const view = { seq: rally.seq, at: now(), places: structuredClone(places), status };
        const seat = (name) => ({ name, rating: 1600, provisional: false, bot: false, url: null });
        const here = { here: true, lag: 20, away_due: null };
        tell({
          t: "state", seq: rally.seq, at: now(), now: now(), you: 0, view, presence: { seats: [here, here], watchers: 3 },
          match: { slug: "rally", game: "two_deck", options: { handling: "automatic" }, pace, rated: true, live: true,
                   seats: [seat("Marta"), seat("Ondřej")] },
        });
      });
    }
    send(text) {
      const message = JSON.parse(text);
      if (message.t !== "play") return;
      const place = [1, 2, 3, 4].find((n) => places[`0.row.${n}`].at(-1) === message.card);
      setTimeout(() => play(0, place, message.id), rally.LAG);
    }
    close() {}
  }
  window.WebSocket = Line;

  rally.start = (every) => {
    let turn = 0;
    const timer = setInterval(() => {
      if (!places["1.row." + ((turn % 4) + 1)].length) return clearInterval(timer);
      play(1, (turn % 4) + 1);
      turn += 1;
    }, every);
  };
})();
