// SPDX-License-Identifier: Apache-2.0
// The places of slices on the fleet map, and the way from one to another.

/** @typedef {import("./fleet.js").Group} Group */

/**
 * @typedef {object} Place
 * @property {MapSlice} slice
 * @property {number} x
 * @property {number} y
 *
 * @typedef {object} Layout
 * @property {number} size of a cell in pixels
 * @property {number} step from one cell to the next
 * @property {number} width
 * @property {number} height
 * @property {Place[]} places in reading order of the blocks
 * @property {{name: string, x: number, y: number, width: number}[]} labels of blocks
 */

const LABEL = 15;
const BETWEEN = 14;

/**
 * Places the cells of a group. Blocks flow from left to right; the cells of a block fill rows.
 * @param {Group} group
 * @param {number} width that there is, in pixels
 * @returns {Layout}
 */
export function layoutOf(group, width) {
  const step = group.count <= 64 ? 26 : group.count <= 256 ? 18 : group.count <= 1024 ? 12 : 9;
  const size = step - (step > 12 ? 3 : 2);
  const columnsMax = Math.max(1, Math.floor((width + step - size) / step));
  const single = group.blocks.length === 1;
  const label = single ? 0 : LABEL;
  /** @type {Place[]} */
  const places = [];
  /** @type {Layout["labels"]} */
  const labels = [];
  let left = 0;
  let top = 0;
  let rowHeight = 0;
  for (const { name, slices } of group.blocks) {
    const columns = single
      ? columnsMax
      : Math.min(columnsMax, slices.length, Math.max(4, Math.ceil(Math.sqrt(2 * slices.length))));
    const rows = Math.ceil(slices.length / columns);
    if (left > 0 && left + columns * step > width) {
      left = 0;
      top += rowHeight + BETWEEN;
      rowHeight = 0;
    }
    if (!single) {
      labels.push({ name, x: left, y: top + LABEL - 4, width: columns * step });
    }
    slices.forEach((slice, i) =>
      places.push({
        slice,
        x: left + (i % columns) * step,
        y: top + label + Math.floor(i / columns) * step,
      }),
    );
    rowHeight = Math.max(rowHeight, label + rows * step);
    left += columns * step + BETWEEN;
  }
  return { size, step, width, height: top + rowHeight, places, labels };
}

/**
 * Returns the slice at a point of a layout. O(n), fast enough for each movement of a pointer.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 */
export function sliceAt(layout, x, y) {
  return layout.places.find(
    (place) => x >= place.x && x < place.x + layout.step && y >= place.y && y < place.y + layout.step,
  )?.slice;
}

/**
 * Returns the slice that an arrow key leads to. Up and down go to the nearest cell of another row
 * that begins above or below.
 * @param {Layout} layout
 * @param {string | undefined} name of the slice to go from
 * @param {string} key as in KeyboardEvent
 */
export function sliceByKey(layout, name, key) {
  const { places } = layout;
  const at = places.findIndex(({ slice }) => slice.name === name);
  if (at < 0 || key === "Home") {
    return places[0]?.slice;
  }
  if (key === "End") {
    return places[places.length - 1].slice;
  }
  if (key === "ArrowRight" || key === "ArrowLeft") {
    return (places[at + (key === "ArrowRight" ? 1 : -1)] ?? places[at]).slice;
  }
  const down = key === "ArrowDown" ? 1 : -1;
  const from = places[at];
  let nearest = from;
  let least = Infinity;
  for (const place of places) {
    const rows = down * (place.y - from.y);
    // A row further away costs more than any distance within a row.
    const distance = rows * layout.width * 2 + Math.abs(place.x - from.x);
    if (rows > 0 && distance < least) {
      nearest = place;
      least = distance;
    }
  }
  return nearest.slice;
}
