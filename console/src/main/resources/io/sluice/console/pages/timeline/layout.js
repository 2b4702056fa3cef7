// SPDX-License-Identifier: Apache-2.0
// Places of the timeline: rows in groups, bars in lanes, and what is at a point.

/** Heights in pixels. */
export const GROUP_HEIGHT = 28;
export const LANE_HEIGHT = 18;
const ROW_PADDING = 4;
/** Bars of a row that are drawn one below the other; further ones overlap in the last lane. */
export const LANES_MAX = 32;

/**
 * Something that uses a row for a period.
 * @typedef {object} Bar
 * @property {string} look kind and colour; bars of one look may be merged
 * @property {number} from in milliseconds
 * @property {number} to in milliseconds; Infinity without an end
 *
 * @typedef {import("./bars.js").Entry & Bar} EntryBar
 */

/**
 * Bars that are ordered by `from`, with the latest end of each and all bars before it.
 * @typedef {{bars: EntryBar[], reach: Float64Array}} Lane
 * @typedef {{key: string, name: string, bars: EntryBar[]}} RowOfBars
 * @typedef {{key: string, name: string, rows: RowOfBars[]}} Group
 * @typedef {object} Row a heading has the group's key and no lanes
 * @property {string} key
 * @property {string} name
 * @property {Group} [heading]
 * @property {boolean} [closed] of a heading
 * @property {number} top
 * @property {number} height
 * @property {Lane[]} lanes
 * @typedef {{rows: Row[], height: number}} Layout
 */

/**
 * Divides bars into lanes without overlaps: each goes into the first lane that is free (first fit by
 * start). Takes O(n log n + n lanes).
 * @param {EntryBar[]} bars
 * @returns {Lane[]}
 */
export function lanesOf(bars) {
  const sorted = bars.slice().sort((one, other) => one.from - other.from || one.to - other.to);
  /** @type {{bars: EntryBar[], end: number}[]} */
  const lanes = [];
  for (const bar of sorted) {
    let lane = lanes.find(({ end }) => end <= bar.from);
    if (!lane && lanes.length < LANES_MAX) {
      lanes.push((lane = { bars: [], end: -Infinity }));
    }
    lane ??= lanes[lanes.length - 1];
    lane.bars.push(bar);
    lane.end = Math.max(lane.end, bar.to);
  }
  return lanes.map((lane) => laneOf(lane.bars));
}

/** @param {EntryBar[]} bars ordered by start @returns {Lane} */
export function laneOf(bars) {
  const reach = new Float64Array(bars.length);
  let latest = -Infinity;
  for (let i = 0; i < bars.length; i++) {
    latest = Math.max(latest, bars[i].to);
    reach[i] = latest;
  }
  return { bars, reach };
}

/**
 * @param {Group[]} groups
 * @param {Set<string>} closed keys of groups whose rows are hidden
 * @returns {Layout}
 */
export function layoutOf(groups, closed) {
  /** @type {Row[]} */
  const rows = [];
  let top = 0;
  for (const group of groups) {
    const isClosed = closed.has(group.key);
    rows.push({
      key: group.key,
      name: group.name,
      heading: group,
      closed: isClosed,
      top,
      height: GROUP_HEIGHT,
      lanes: [],
    });
    top += GROUP_HEIGHT;
    for (const { key, name, bars } of isClosed ? [] : group.rows) {
      const lanes = lanesOf(bars);
      const height = Math.max(1, lanes.length) * LANE_HEIGHT + ROW_PADDING;
      rows.push({ key, name, top, height, lanes });
      top += height;
    }
  }
  return { rows, height: top };
}

/**
 * Returns the first index for which a test holds, if it holds for all later ones too; `count` if it
 * never holds.
 * @param {number} count
 * @param {(index: number) => boolean} test
 */
function firstIndex(count, test) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/**
 * Returns the indices of the rows between two heights, the last one excluded.
 * @param {Layout} layout
 * @param {number} top
 * @param {number} bottom
 */
export function rowsBetween({ rows }, top, bottom) {
  return [
    firstIndex(rows.length, (i) => rows[i].top + rows[i].height > top),
    firstIndex(rows.length, (i) => rows[i].top >= bottom),
  ];
}

/**
 * Returns the indices of the bars that may be in a period, the last one excluded.
 * @param {Lane} lane
 * @param {number} from
 * @param {number} to
 */
export function barsBetween({ bars, reach }, from, to) {
  return [
    firstIndex(bars.length, (i) => reach[i] > from),
    firstIndex(bars.length, (i) => bars[i].from >= to),
  ];
}

/**
 * A rectangle of one bar, or of several that are narrower than a pixel.
 * @typedef {{bar: EntryBar, left: number, right: number, count: number}} Piece
 */

/**
 * Returns the rectangles of a lane. A bar narrower than a pixel joins the narrow one before it if it
 * touches it and looks the same, or lies within the same pixel.
 * @param {Lane} lane
 * @param {import("./scale.js").Range} range
 * @param {number} width in pixels
 * @returns {Piece[]}
 */
export function piecesOf(lane, { from, to }, width) {
  const scale = width / (to - from);
  const [first, last] = barsBetween(lane, from, to);
  /** @type {Piece[]} */
  const pieces = [];
  /** @type {Piece | undefined} */
  let narrow;
  for (let i = first; i < last; i++) {
    const bar = lane.bars[i];
    if (bar.to <= from && bar.to > bar.from) {
      continue;
    }
    const left = Math.max(-8, (bar.from - from) * scale);
    const right = Math.min(width + 8, (bar.to - from) * scale);
    if (right - left >= 1) {
      narrow = undefined;
      pieces.push({ bar, left, right, count: 1 });
    } else if (
      narrow &&
      (right <= narrow.left + 1 || (bar.look === narrow.bar.look && left - narrow.right < 1))
    ) {
      narrow.right = Math.max(narrow.right, right);
      narrow.count++;
    } else {
      narrow = { bar, left, right: Math.max(right, left + 1), count: 1 };
      pieces.push(narrow);
    }
  }
  return pieces;
}

/** Pixels around a point within which a narrow bar is still hit. */
const REACH = 4;

/**
 * Returns the bar at a point: the one that contains it, else the nearest within a few pixels.
 * @param {Layout} layout
 * @param {import("./scale.js").Range} range
 * @param {number} width
 * @param {number} x in pixels from the left end of the range
 * @param {number} y in pixels from the top of all rows
 * @returns {{row: Row, piece: Piece} | undefined}
 */
export function hit(layout, range, width, x, y) {
  const [index] = rowsBetween(layout, y, y + 1);
  const row = layout.rows[index];
  if (!row || y < row.top) {
    return undefined;
  }
  const lane = row.lanes[Math.floor((y - row.top - ROW_PADDING / 2) / LANE_HEIGHT)];
  if (!lane) {
    return undefined;
  }
  /** @type {Piece | undefined} */
  let nearest;
  let least = REACH + 1;
  for (const piece of piecesOf(lane, range, width)) {
    const away = Math.max(piece.left - x, x - piece.right, 0);
    // Of overlapping bars the last one is drawn on top.
    if (away < least || (away === 0 && least === 0)) {
      nearest = piece;
      least = away;
    }
  }
  return nearest && { row, piece: nearest };
}

/**
 * Returns the bar that follows another one by time in its row, or is the nearest in a next row that
 * has bars.
 * @param {Layout} layout
 * @param {EntryBar | undefined} bar
 * @param {{across: number, down: number}} step -1, 0 or 1 each
 * @param {number} at the time to look at if no bar is given
 * @returns {EntryBar | undefined}
 */
export function neighbour({ rows }, bar, { across, down }, at) {
  const index = bar ? rows.findIndex(({ lanes }) => lanes.some(({ bars }) => bars.includes(bar))) : -1;
  if (index < 0 || !bar) {
    const first = rows.find(({ lanes }) => lanes.length > 0);
    return first && nearestOf(first, at);
  }
  if (down !== 0) {
    for (let i = index + down; i >= 0 && i < rows.length; i += down) {
      if (rows[i].lanes.length > 0) {
        return nearestOf(rows[i], bar.from);
      }
    }
    return bar;
  }
  const all = rows[index].lanes
    .flatMap(({ bars }) => bars)
    .sort((one, other) => one.from - other.from || one.to - other.to);
  return all[all.indexOf(bar) + across] ?? bar;
}

/** @param {Row} row @param {number} at */
function nearestOf(row, at) {
  return row.lanes
    .flatMap(({ bars }) => bars)
    .reduce((one, other) => (Math.abs(other.from - at) < Math.abs(one.from - at) ? other : one));
}

/** Returns where a lane of a row begins, from the top of all rows. @param {Row} row @param {number} lane */
export function laneTop(row, lane) {
  return row.top + ROW_PADDING / 2 + lane * LANE_HEIGHT;
}

/**
 * Returns the bar of a new layout that stands for the same thing as an old one.
 * @param {Layout} layout
 * @param {EntryBar} old
 */
export function counterpart(layout, old) {
  for (const { lanes } of layout.rows) {
    for (const { bars } of lanes) {
      const same = bars.find(
        (bar) =>
          bar.row === old.row && bar.job === old.job && bar.index === old.index &&
          bar.attempt === old.attempt && bar.name === old.name &&
          (bar.attempt !== undefined || bar.kind === old.kind) &&
          (bar.kind !== "run" || bar.from === old.from),
      );
      if (same) {
        return same;
      }
    }
  }
  return undefined;
}
