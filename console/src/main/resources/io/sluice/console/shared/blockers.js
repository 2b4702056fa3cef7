// SPDX-License-Identifier: Apache-2.0
// What waiting jobs wait for, with counts.

import { visible, words } from "./text.js";

/**
 * Returns groups of jobs, the largest first.
 * @template {{count: number}} T
 * @param {T[]} groups
 * @param {(group: T) => string} nameOf
 * @returns {T[]}
 */
export function largestFirst(groups, nameOf) {
  return groups
    .slice()
    .sort((one, other) => other.count - one.count || nameOf(one).localeCompare(nameOf(other)));
}

/** @param {string} blocker empty: none is known */
export function blockerText(blocker) {
  return blocker ? visible(words(blocker)) : "not decided yet";
}
