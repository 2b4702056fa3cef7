// SPDX-License-Identifier: Apache-2.0
// The rows of the list of pipelines.

/** Runs that a row shows, the newest last. */
export const RUNS_SHOWN = 8;

/**
 * @typedef {object} Row
 * @property {string} namespace
 * @property {string} name
 * @property {number} runs number of all runs
 * @property {any[]} last the newest runs, the oldest of them first
 * @property {any[]} schedules
 * @property {string | undefined} next due time of the next fire of any schedule
 */

/**
 * Returns pipelines with their newest runs and their schedules, by namespace.
 * @param {any[]} pipelines
 * @param {any[]} schedules
 * @param {any[]} runs newest first
 * @param {{namespace: string, text: string}} filter
 * @returns {Map<string, Row[]>}
 */
export function rowsByNamespace(pipelines, schedules, runs, { namespace, text }) {
  const runsOf = groupBy(runs, (run) => run.namespace + "/" + run.pipeline);
  const schedulesOf = groupBy(schedules, (one) => one.namespace + "/" + one.pipeline);
  const wanted = text.toLowerCase();
  /** @type {Map<string, Row[]>} */
  const rows = new Map();
  for (const { metadata, status } of pipelines) {
    if (
      (namespace && metadata.namespace !== namespace) ||
      !metadata.name.toLowerCase().includes(wanted)
    ) {
      continue;
    }
    const key = metadata.namespace + "/" + metadata.name;
    const own = schedulesOf.get(key) ?? [];
    const row = {
      namespace: metadata.namespace,
      name: metadata.name,
      runs: status?.runs ?? 0,
      last: (runsOf.get(key) ?? []).slice(0, RUNS_SHOWN).reverse(),
      schedules: own,
      next: own
        .map(({ dueAt }) => dueAt)
        .filter(Boolean)
        .sort((one, other) => Date.parse(one) - Date.parse(other))[0],
    };
    rows.set(row.namespace, [...(rows.get(row.namespace) ?? []), row]);
  }
  return rows;
}

/**
 * @param {any[]} items
 * @param {(item: any) => string} keyOf
 * @returns {Map<string, any[]>}
 */
function groupBy(items, keyOf) {
  /** @type {Map<string, any[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) {
      group.push(item);
    } else {
      groups.set(key, [item]);
    }
  }
  return groups;
}
