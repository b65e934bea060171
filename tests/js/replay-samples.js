/** Golden logs as replay documents, for tests of the replay page. */

/** @param {string} name of a file of tests/golden */
export async function replayOf(name) {
  const log = await (await fetch(`/tests/golden/${name}.json`)).json();
  const { places: start, status } = log.audiences.watchers.start;
  return {
    format: "spit-replay",
    version: 1,
    match: { slug: "abcdefgh", game: log.setup.game, seats: [{ name: "Marta" }, { name: "Ondřej" }] },
    places: Object.keys(start),
    start,
    events: log.events,
    keyframes: [{ seq: 0, at: 0, places: start, status }],
  };
}

/** A clock that stands still until told, and the frames asked for of it. */
export class FakeClock {
  time = 1000;
  #ticks = new Map();
  #number = 0;

  now = () => this.time;

  request = (tick) => {
    this.#ticks.set((this.#number += 1), tick);
    return this.#number;
  };

  cancel = (frame) => this.#ticks.delete(frame);

  /** Let time pass, and one frame come. @param {number} ms */
  pass(ms) {
    this.time += ms;
    const ticks = [...this.#ticks.values()];
    this.#ticks.clear();
    for (const tick of ticks) tick();
    return ticks.length;
  }
}
