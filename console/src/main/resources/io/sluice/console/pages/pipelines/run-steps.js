// SPDX-License-Identifier: Apache-2.0
// The steps of a run as nodes of a graph: counts of their parts, and what they wait for.

/**
 * @typedef {{part: number, try: number, state: string, job?: string, output?: unknown, cause?: string, message?: string, startedAt?: string, endedAt?: string}} Try
 * @typedef {{name: string, state: string, reason?: string, dependsOn: unknown[], exitHandler?: boolean,
 *     startedAt?: string, endedAt?: string, parts: Try[]}} Step
 * @typedef {{from: string, to: string, when: string}} Edge
 */

/** Exit handlers get edges from this many last steps at most. */
const LAST_STEPS_MAX = 50;

/**
 * Returns the newest try of each part of a step, by part.
 * @param {Step} step
 * @returns {Try[]}
 */
export function newestTries(step) {
  /** @type {Map<number, Try>} */
  const newest = new Map();
  for (const one of step.parts) {
    const before = newest.get(one.part);
    if (!before || before.try < one.try) {
      newest.set(one.part, one);
    }
  }
  return [...newest.values()].sort((one, other) => one.part - other.part);
}

/**
 * Returns the number of parts in each state, the most frequent state first.
 * @param {Step} step
 * @returns {[string, number][]}
 */
export function countsByState(step) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { state } of newestTries(step)) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1]);
}

/**
 * Returns the steps that a step depends on, with the end that it waits for.
 * @param {Step} step
 * @returns {{step: string, when: string}[]}
 */
export function dependenciesOf(step) {
  return step.dependsOn.map((one) => {
    const named = /** @type {{step: string, when?: string}} */ (
      typeof one === "string" ? { step: one } : one
    );
    return { step: named.step, when: named.when ?? "succeeded" };
  });
}

/**
 * Returns the edges between steps. An exit handler comes after the steps that no other depends on.
 * @param {Step[]} steps
 * @returns {Edge[]}
 */
export function edgesOf(steps) {
  const known = new Set(steps.map(({ name }) => name));
  /** @type {Edge[]} */
  const edges = [];
  for (const step of steps) {
    for (const { step: from, when } of dependenciesOf(step)) {
      if (known.has(from)) {
        edges.push({ from, to: step.name, when });
      }
    }
  }
  const handler = steps.find(({ exitHandler }) => exitHandler);
  if (handler) {
    const awaited = new Set(edges.map(({ from }) => from));
    for (const { name } of steps
      .filter((step) => step !== handler && !awaited.has(step.name))
      .slice(0, LAST_STEPS_MAX)) {
      edges.push({ from: name, to: handler.name, when: "at the end" });
    }
  }
  return edges;
}

/**
 * Returns a line through points, for the attribute `d` of a path.
 * @param {{x: number, y: number}[]} points
 */
export function lineThrough(points) {
  return points
    .map(({ x, y }, i) => (i === 0 ? "M" : "L") + x.toFixed(1) + " " + y.toFixed(1))
    .join(" ");
}

/**
 * Returns a text that is no longer than a number of characters.
 * @param {string} text
 * @param {number} max
 */
export function shortened(text, max) {
  return text.length <= max ? text : text.slice(0, max - 1) + "…";
}
