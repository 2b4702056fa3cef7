// SPDX-License-Identifier: Apache-2.0
// What waiting jobs wait for, with counts.

/**
 * Returns the number of jobs by what they wait for, the most frequent first.
 * @param {Job[]} jobs
 * @returns {{blocker: string, count: number}[]}
 */
export function blockersOf(jobs) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { status } of jobs) {
    const blocker = status?.blocker ?? "";
    counts.set(blocker, (counts.get(blocker) ?? 0) + 1);
  }
  return [...counts]
    .map(([blocker, count]) => ({ blocker, count }))
    .sort((one, other) => other.count - one.count || one.blocker.localeCompare(other.blocker));
}
