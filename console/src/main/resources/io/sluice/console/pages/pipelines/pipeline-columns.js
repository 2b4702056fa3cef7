// SPDX-License-Identifier: Apache-2.0
// The grid of a pipeline's runs: a column for each run, a row for each step.

/** @typedef {{id: string, name: string, state: string, endedAt?: string, steps: Map<string, string>}} Column */

/**
 * Returns the names of all steps of some runs: in the order of the newest run, then those that only
 * older versions of the pipeline have.
 * @param {Column[]} columns oldest first
 * @param {number} max
 * @returns {{names: string[], more: number}}
 */
export function stepNames(columns, max) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const column of [...columns].reverse()) {
    for (const name of column.steps.keys()) {
      names.add(name);
    }
  }
  const all = [...names];
  return { names: all.slice(0, max), more: Math.max(0, all.length - max) };
}

/**
 * Returns by how many columns those that stay have moved to the left.
 * @param {string[]} before ids, oldest first
 * @param {string[]} after
 */
export function movedBy(before, after) {
  const dropped = before.indexOf(after[0]);
  return dropped < 0 ? 0 : dropped;
}

/**
 * Returns the cell that an arrow key leads to.
 * @param {string} key
 * @param {{row: number, column: number}} from
 * @param {{rows: number, columns: number}} size
 * @returns {{row: number, column: number} | undefined} undefined: another key
 */
export function moveBy(key, { row, column }, { rows, columns }) {
  const target =
    {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      Home: { row, column: 0 },
      End: { row, column: columns - 1 },
    }[key];
  return (
    target && {
      row: Math.max(0, Math.min(rows - 1, target.row)),
      column: Math.max(0, Math.min(columns - 1, target.column)),
    }
  );
}
