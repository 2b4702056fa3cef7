// SPDX-License-Identifier: Apache-2.0
// Picks for the overview: the failures of the last hour, and the slices of jobs.

/**
 * @typedef {object} FailureGroup
 * @property {Job} newest
 * @property {number} count
 */

/**
 * Returns the jobs that failed since a time, the newest first. Jobs of a namespace with the same
 * reason whose names differ only in digits are one entry, so that a failing schedule is one.
 * @param {Job[]} jobs
 * @param {number} since in milliseconds
 * @returns {FailureGroup[]}
 */
export function failuresSince(jobs, since) {
  /** @type {Map<string, FailureGroup>} */
  const groups = new Map();
  const recent = jobs
    .filter(({ status }) => Date.parse(status.finishedAt ?? "") >= since)
    .sort((one, other) => (other.status.finishedAt ?? "").localeCompare(one.status.finishedAt ?? ""));
  for (const job of recent) {
    const { namespace, name } = job.metadata;
    const key = JSON.stringify([namespace, name.replace(/[0-9]+/g, "#"), job.status.reason]);
    const group = groups.get(key);
    if (group) {
      group.count++;
    } else {
      groups.set(key, { newest: job, count: 1 });
    }
  }
  return [...groups.values()];
}

/**
 * Returns the names of the slices that some jobs hold, in whole or in part.
 * @param {MapSlice[]} slices
 * @param {Set<string>} jobs their ids
 * @returns {Set<string>}
 */
export function slicesOf(slices, jobs) {
  return new Set(
    slices.filter(({ holders }) => holders.some(({ job }) => job && jobs.has(job))).map(({ name }) => name),
  );
}
