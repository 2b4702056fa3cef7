// SPDX-License-Identifier: Apache-2.0
// The phases of attempts: waiting, starting, running, draining.

/**
 * @typedef {{phase: string, from: number, to: number}} Phase a time in milliseconds
 * @typedef {object} Attempt
 * @property {number} index
 * @property {number} attempt
 * @property {string} state
 * @property {string} admittedAt
 * @property {string} [startedAt]
 * @property {string} [drainingAt]
 * @property {string} [endedAt]
 * @property {string} [outcome]
 * @property {string} [message]
 * @property {{cause: string}} [drain]
 * @property {any} [assignment]
 */

/**
 * Returns the phases of an attempt, with the wait before it.
 * @param {Attempt} attempt
 * @param {number} waitedFrom
 * @param {number} now
 * @returns {Phase[]}
 */
export function phasesOf(attempt, waitedFrom, now) {
  const admitted = Date.parse(attempt.admittedAt);
  const end = attempt.endedAt ? Date.parse(attempt.endedAt) : now;
  const draining = attempt.drainingAt ? Date.parse(attempt.drainingAt) : end;
  const started = attempt.startedAt ? Date.parse(attempt.startedAt) : draining;
  return [
    { phase: "waiting", from: waitedFrom, to: admitted },
    { phase: "starting", from: admitted, to: started },
    { phase: "running", from: started, to: draining },
    { phase: "draining", from: draining, to: end },
  ].filter(({ from, to }) => to > from);
}

/**
 * Returns the rows of the picture, the oldest first: an attempt each, and a last one of the wait
 * that has not ended.
 * @param {Attempt[]} attempts the newest first
 * @param {Job} job
 * @param {number} now
 * @returns {{name: string, attempt?: Attempt, phases: Phase[]}[]}
 */
export function rowsOf(attempts, job, now) {
  const created = Date.parse(job.status.createdAt);
  /** @type {Map<number, number>} */
  const ends = new Map();
  const isArray = job.spec.array !== undefined;
  const rows = attempts
    .slice()
    .reverse()
    .map((attempt) => {
      const phases = phasesOf(attempt, ends.get(attempt.index) ?? created, now);
      ends.set(attempt.index, attempt.endedAt ? Date.parse(attempt.endedAt) : now);
      const name = (isArray ? "index " + attempt.index + ", " : "") + "attempt " + attempt.attempt;
      return { name, attempt, phases };
    });
  if (job.status.state === "PENDING") {
    const from = isArray ? created : (ends.get(0) ?? created);
    return [...rows, { name: "waiting", phases: [{ phase: "waiting", from, to: now }] }];
  }
  return rows;
}
