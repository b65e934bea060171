/**
 * `apply`: a view after one event. The same fold as `evolve` in the rules, and as free of rules: a card is taken here
 * and put there, the status is taken as it comes.
 *
 * @typedef {object} Status the rules' `Status`, as JSON
 * @property {"dealing"|"ready"|"countdown"|"playing"|"stuck"|"slap"|"over"} phase
 * @property {number} round
 * @property {number} since ms since the start of the match
 * @property {number|null} due
 * @property {[boolean, boolean]} ready
 * @property {number} turns
 * @property {[string|null, string|null]} starts
 * @property {0|1|null} alone
 * @property {0|1|null} chooser
 * @property {Result|null} result
 * @property {number} game the number of the game in the match (M1)
 * @property {[number, number]} score of the finished games of a series
 * @property {Result|null} last how the last finished game ended
 * @property {number} first_round the round that this game began with
 *
 * @typedef {object} Result
 * @property {0|1|null} winner
 * @property {string} cause
 *
 * @typedef {object} View what an audience may know of a match after `seq` events
 * @property {number} seq
 * @property {number} at ms since the start of the match
 * @property {Readonly<Record<string, readonly string[]>>} places the cards of each place from the bottom to the top
 * @property {Status} status
 * @property {0|1} [warned]
 *
 * @typedef {[card: string, source: string, target: string]} CardMove
 *
 * @typedef {object} TableEvent
 * @property {string} kind
 * @property {number} at
 * @property {0|1} [seat]
 * @property {CardMove[]} [moves]
 * @property {Status} [status]
 * @property {Record<string, string[]>} [orders]
 * @property {string} [pile]
 * @property {string} [card]
 * @property {0|1} [by]
 * @property {number} [late]
 * @property {string} [command]
 */

/**
 * The view after `event`; piles that did not change are shared with the view before.
 * @param {View} view
 * @param {TableEvent} event
 * @returns {View}
 */
export function apply(view, event) {
  const after = { ...view, seq: view.seq + 1, at: event.at, status: event.status ?? view.status };
  if (event.orders) after.places = { ...after.places, ...event.orders };
  if (event.moves?.length) {
    after.places = move(after.places, event.moves);
    // Shifting a lone card is no progress (G5), so it does not answer a warning (G8).
    if (event.kind !== "moved" || after.places[event.moves[0][1]].length) delete after.warned;
  }
  if (event.kind === "warned") after.warned = event.seat;
  return after;
}

/**
 * The places after some card moves.
 * @param {View["places"]} places
 * @param {readonly CardMove[]} moves
 * @returns {View["places"]}
 */
export function move(places, moves) {
  const after = { ...places };
  /** The piles copied here, which may be changed in place. @type {Record<string, string[]>} */
  const own = {};
  const changing = (name) => (own[name] ??= after[name] = [...after[name]]);
  for (const [card, source, target] of moves) {
    if (changing(source).pop() === undefined) throw new RangeError(`no card on ${source}`);
    changing(target).push(card);
  }
  return after;
}
