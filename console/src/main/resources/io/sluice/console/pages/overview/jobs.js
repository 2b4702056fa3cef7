// SPDX-License-Identifier: Apache-2.0
// Picks of jobs for the overview: those that wait longest, and the failures of the last hour.

/**
 * @typedef {object} Pending a job in GET .../pendingworkloads
 * @property {{name: string, namespace: string, uid: string, creationTimestamp: string}} metadata
 */

/**
 * Returns the oldest of some pending jobs, the oldest first.
 * @param {{queue: string, items: Pending[]}[]} queues
 * @param {number} max
 * @returns {{id: string, name: string, namespace: string, queue: string, createdAt: string}[]}
 */
export function longestWaiting(queues, max) {
  return queues
    .flatMap(({ queue, items }) =>
      items.map(({ metadata }) => ({
        id: metadata.uid,
        name: metadata.name,
        namespace: metadata.namespace,
        queue,
        createdAt: metadata.creationTimestamp,
      })),
    )
    .sort((one, other) => one.createdAt.localeCompare(other.createdAt))
    .slice(0, max);
}

/**
 * Returns the time of the oldest job of each queue.
 * @param {{queue: string, items: Pending[]}[]} queues
 * @returns {Map<string, string>}
 */
export function oldestByQueue(queues) {
  /** @type {Map<string, string>} */
  const oldest = new Map();
  for (const { queue, items } of queues) {
    const [first] = longestWaiting([{ queue, items }], 1);
    if (first) {
      oldest.set(queue, first.createdAt);
    }
  }
  return oldest;
}

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
 * @param {Slice[]} slices
 * @param {Set<string>} jobs their ids
 * @param {(slice: Slice) => any[]} holdersOf
 * @returns {Set<string>}
 */
export function slicesOf(slices, jobs, holdersOf) {
  return new Set(
    slices.filter((slice) => holdersOf(slice).some(({ job }) => jobs.has(job))).map(({ name }) => name),
  );
}
