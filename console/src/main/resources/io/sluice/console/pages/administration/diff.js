// SPDX-License-Identifier: Apache-2.0
// The difference of two texts by lines: a longest common subsequence, within bounds.

/** @typedef {{kind: "same" | "added" | "removed" | "left out", text: string}} Line */

/** The table of lengths has at most this many entries: 8 MB. */
const TABLE_MAX = 4_000_000;
/** Equal lines that are shown around a difference. */
const CONTEXT = 3;

/**
 * Returns a value as JSON with its fields in alphabetical order, so that only differences of
 * content are differences of lines.
 * @param {unknown} value
 */
export function sortedJson(value) {
  return JSON.stringify(sorted(value), undefined, 2) ?? "";
}

/** @param {any} value @returns {any} */
function sorted(value) {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return value !== null && typeof value === "object"
    ? Object.fromEntries(
        Object.keys(value).sort().map((key) => [key, sorted(value[key])]),
      )
    : value;
}

/**
 * Returns all lines of both texts. O(n·m) in the lines between the first and the last difference;
 * beyond a bound these lines count as replaced.
 * @param {string} before
 * @param {string} after
 * @returns {Line[]}
 */
export function diffLines(before, after) {
  const old = before === "" ? [] : before.split("\n");
  const now = after === "" ? [] : after.split("\n");
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) {
    head++;
  }
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail++;
  }
  /** @param {Line["kind"]} kind @returns {(text: string) => Line} */
  const as = (kind) => (text) => ({ kind, text });
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  return [
    ...old.slice(0, head).map(as("same")),
    ...(removed.length * added.length > TABLE_MAX
      ? [...removed.map(as("removed")), ...added.map(as("added"))]
      : between(removed, added)),
    ...old.slice(old.length - tail).map(as("same")),
  ];
}

/**
 * @param {string[]} old
 * @param {string[]} now
 * @returns {Line[]}
 */
function between(old, now) {
  const width = now.length + 1;
  // lengths[i * width + j]: the longest common subsequence of old from i on, and now from j on.
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        old[i] === now[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  /** @type {Line[]} */
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ kind: "same", text: old[i++] });
      j++;
    } else if (j === now.length || (i < old.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) {
      lines.push({ kind: "removed", text: old[i++] });
    } else {
      lines.push({ kind: "added", text: now[j++] });
    }
  }
  return lines;
}

/**
 * Leaves out equal lines that are far from a difference.
 * @param {Line[]} lines
 * @returns {Line[]}
 */
export function aroundChanges(lines) {
  const near = new Uint8Array(lines.length);
  for (const [i, { kind }] of lines.entries()) {
    if (kind !== "same") {
      near.fill(1, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
    }
  }
  /** @type {Line[]} */
  const shown = [];
  let skipped = 0;
  for (let i = 0; i <= lines.length; i++) {
    if (i < lines.length && !near[i]) {
      skipped++;
      continue;
    }
    if (skipped > 0) {
      shown.push({ kind: "left out", text: skipped + (skipped === 1 ? " equal line" : " equal lines") });
      skipped = 0;
    }
    if (i < lines.length) {
      shown.push(lines[i]);
    }
  }
  return shown;
}
