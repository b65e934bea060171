/** A test runner of a few lines: `test(name, body)`, and what bodies need to compare and to wait. */

/** @type {{name: string, body: () => unknown}[]} */
const tests = [];

/** @param {string} name @param {() => unknown} body may be asynchronous */
export const test = (name, body) => tests.push({ name, body });

/** Run all that was registered, one after the other. @returns {Promise<{name: string, error: string|null}[]>} */
export async function run() {
  const results = [];
  for (const { name, body } of tests) {
    try {
      await body();
      results.push({ name, error: null });
    } catch (error) {
      results.push({ name, error: error.stack ?? String(error) });
    }
    document.body.replaceChildren();
  }
  return results;
}

/** Text of a value in which the order of keys does not matter. */
const text = (value) =>
  JSON.stringify(value, (key, inner) =>
    inner && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

export function equal(actual, wanted, about = "") {
  if (text(actual) !== text(wanted)) throw new Error(`${about} is ${text(actual)}, wanted ${text(wanted)}`);
}

export function ok(value, about = "it") {
  if (!value) throw new Error(`${about}: not so`);
}

/** Wait until something holds, looking at every frame. */
export async function until(condition, about = "it", ms = 3000) {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited in vain for ${about}`);
    await new Promise(requestAnimationFrame);
  }
}
