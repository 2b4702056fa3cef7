// SPDX-License-Identifier: Apache-2.0
// A layout of large graphs in O(n log n + m): a column for each length of the longest way to a node.

/** @typedef {{x: number, y: number}} Point */

const MARGIN = 12;
const BETWEEN_COLUMNS = 56;
const BETWEEN_ROWS = 16;

/**
 * Places nodes in columns, each by the mean row of the nodes before it. Edges are straight.
 * @param {string[]} names
 * @param {{from: string, to: string}[]} edges without a cycle, between these names
 * @param {{width: number, height: number}} node
 * @returns {{width: number, height: number, places: Map<string, Point>, lines: Point[][]}} centres of
 *     nodes, and a line for each edge
 */
export function placeInColumns(names, edges, node) {
  const columns = columnsOf(names, edges);
  /** @type {Map<string, string[]>} */
  const before = new Map(names.map((name) => [name, []]));
  for (const { from, to } of edges) {
    before.get(to)?.push(from);
  }
  /** @type {Map<string, number>} */
  const rows = new Map();
  /** @type {Map<string, Point>} */
  const places = new Map();
  let tallest = 0;
  for (const [c, column] of columns.entries()) {
    const means = new Map(
      column.map((name) => {
        const known = before.get(name) ?? [];
        return [name, known.reduce((sum, one) => sum + (rows.get(one) ?? 0), 0) / (known.length || 1)];
      }),
    );
    const ordered =
      c === 0
        ? column
        : [...column].sort((one, other) => (means.get(one) ?? 0) - (means.get(other) ?? 0));
    for (const [row, name] of ordered.entries()) {
      rows.set(name, row);
      places.set(name, {
        x: MARGIN + node.width / 2 + c * (node.width + BETWEEN_COLUMNS),
        y: MARGIN + node.height / 2 + row * (node.height + BETWEEN_ROWS),
      });
    }
    tallest = Math.max(tallest, column.length);
  }
  return {
    width: 2 * MARGIN + columns.length * (node.width + BETWEEN_COLUMNS) - BETWEEN_COLUMNS,
    height: 2 * MARGIN + tallest * (node.height + BETWEEN_ROWS) - BETWEEN_ROWS,
    places,
    lines: edges.map(({ from, to }) => {
      const start = /** @type {Point} */ (places.get(from));
      const end = /** @type {Point} */ (places.get(to));
      return [
        { x: start.x + node.width / 2, y: start.y },
        { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 },
        { x: end.x - node.width / 2, y: end.y },
      ];
    }),
  };
}

/**
 * Returns the names by the length of the longest way to them, in topological order (Kahn).
 * @param {string[]} names
 * @param {{from: string, to: string}[]} edges
 */
function columnsOf(names, edges) {
  /** @type {Map<string, string[]>} */
  const after = new Map(names.map((name) => [name, []]));
  const open = new Map(names.map((name) => [name, 0]));
  for (const { from, to } of edges) {
    after.get(from)?.push(to);
    open.set(to, (open.get(to) ?? 0) + 1);
  }
  /** @type {string[][]} */
  const columns = [];
  let ready = names.filter((name) => open.get(name) === 0);
  while (ready.length > 0) {
    columns.push(ready);
    /** @type {string[]} */
    const next = [];
    for (const name of ready) {
      for (const one of after.get(name) ?? []) {
        const left = (open.get(one) ?? 0) - 1;
        open.set(one, left);
        if (left === 0) {
          next.push(one);
        }
      }
    }
    ready = next;
  }
  return columns;
}
