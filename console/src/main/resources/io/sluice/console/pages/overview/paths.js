// SPDX-License-Identifier: Apache-2.0
// The outlines of a fleet map: one SVG path for all cells with the same look. A path for each cell
// would make thousands of elements that the browser compares on each change.

import { statesOf } from "./fleet.js";

/**
 * @typedef {object} Paths
 * @property {Map<string, string>} fills paths of filled cells by class
 * @property {Map<string, string>} marks paths of the marks of states by class
 */

/** A square from the point where the pen is. @param {number} size */
const square = (size) => `h${size}v${size}h${-size}z`;

/**
 * Returns the paths of a layout's cells.
 * @param {import("./layout.js").Layout} layout
 * @param {(slice: MapSlice) => number | undefined} tint of the holder of a slice
 * @returns {Paths}
 */
export function pathsOf(layout, tint) {
  /** @type {Map<string, string>} */
  const fills = new Map();
  /** @type {Map<string, string>} */
  const marks = new Map();
  const cell = square(layout.size - 1);
  const shapes = marksOf(layout.size);
  for (const { slice, x, y } of layout.places) {
    const states = statesOf(slice);
    const held = slice.holders.length > 0;
    const look = held
      ? "tint-" + (tint(slice) ?? "none") + (states.includes("starting") ? " starting" : "")
      : states.includes("absent") || states.includes("failed")
        ? "gone"
        : "free";
    const start = "M" + (x + 0.5) + " " + (y + 0.5);
    fills.set(look, (fills.get(look) ?? "") + start + cell);
    for (const state of states) {
      if (shapes[state]) {
        marks.set(state, (marks.get(state) ?? "") + start + shapes[state]);
      }
    }
  }
  return { fills, marks };
}

/**
 * Returns the mark of each state that has one, as a path from the cell's upper left corner.
 * @param {number} size of a cell
 * @returns {Record<string, string>}
 */
function marksOf(size) {
  const s = size - 1;
  return {
    partly: `m1 1h${s - 2}v${(s - 2) / 2}h${2 - s}z`,
    // Three lines would hide the tint of a small cell.
    draining:
      `m0 ${s}l${s} ${-s}` + (s < 12 ? "" : `m${-s} ${s / 2}l${s / 2} ${-s / 2}m0 ${s}l${s / 2} ${-s / 2}`),
    leaving: "m0.5 0.5" + square(s - 1),
    kept: `m${s / 3} ${s / 3}` + square(s / 3),
    claimed: `h${s / 2}l${-s / 2} ${s / 2}z`,
    absent: `m2 ${s / 2}h${s - 4}`,
    failed: `m2 2l${s - 4} ${s - 4}m${4 - s} 0l${s - 4} ${4 - s}`,
  };
}

/**
 * Returns the path of frames around some slices.
 * @param {import("./layout.js").Layout} layout
 * @param {(slice: MapSlice) => boolean} chosen
 */
export function framesOf(layout, chosen) {
  return layout.places
    .filter(({ slice }) => chosen(slice))
    .map(({ x, y }) => `M${x - 0.5} ${y - 0.5}` + square(layout.size + 1))
    .join("");
}
