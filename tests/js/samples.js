/** A table of Spit in the middle of a round, for tests. */

export const PACE = { key: "normal", countdown: 3000, stuck: 1500, slap: 5000, warning: 10000, inactive: 30000 };

export const MATCH = {
  slug: "abcdefgh",
  game: "spit",
  options: { handling: "automatic", stockpiles: 5, slap: true, alternate: false },
  pace: PACE,
  rated: true,
  live: true,
  seats: [
    { name: "Marta", rating: 1642, provisional: false, bot: false, url: null },
    { name: "Ondřej", rating: 1688, provisional: true, bot: false, url: null },
  ],
};

export const STATUS = {
  phase: "playing", round: 3, since: 0, due: null, ready: [false, false], turns: 0, starts: ["centre.0", "centre.1"],
  alone: null, chooser: null, result: null, game: 1, score: [0, 0], last: null, first_round: 1,
};

export const PLACES = {
  "pack": [],
  "0.stockpile.1": ["7d"], "0.stockpile.2": ["-", "3s"], "0.stockpile.3": ["-", "-", "Th"], "0.stockpile.4": [], "0.stockpile.5": ["-", "-", "-", "Ac"],
  "1.stockpile.1": ["9c"], "1.stockpile.2": ["-", "Qd"], "1.stockpile.3": ["-", "4s"], "1.stockpile.4": ["-", "-", "Jh"], "1.stockpile.5": ["2c"],
  "0.spit": ["-", "-", "-"], "1.spit": ["-", "-"], "centre.0": ["2d", "5h", "8h"], "centre.1": ["Ks"],
};

/** @param {object} [status] @param {object} [places] */
export const viewOf = (status = {}, places = {}) => ({
  seq: 30, at: 60000, places: { ...PLACES, ...places }, status: { ...STATUS, ...status },
});

/** The message that begins a session. */
export const stateOf = (view = viewOf(), you = 0) => ({
  t: "state", seq: view.seq, at: view.at, now: view.at, you, match: MATCH, view,
  presence: { seats: [{ here: true, lag: 20, away_due: null }, { here: true, lag: 30, away_due: null }], watchers: 2 },
});
