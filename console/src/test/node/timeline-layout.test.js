// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import {
  GROUP_HEIGHT,
  LANES_MAX,
  LANE_HEIGHT,
  barsBetween,
  hit,
  laneOf,
  laneTop,
  lanesOf,
  layoutOf,
  neighbour,
  piecesOf,
  rowsBetween,
} from "../../main/resources/io/sluice/console/pages/timeline/layout.js";

/** @param {number} from @param {number} to @param {string} [look] @returns {any} */
const bar = (from, to, look = "past") => ({ from, to, look, kind: "past", row: "", slices: [], amounts: [] });

/** @param {any[][]} rows */
const oneGroup = (...rows) => [
  { key: "g", name: "g", rows: rows.map((bars, i) => ({ key: "r" + i, name: "r" + i, bars })) },
];

test("bars of a lane do not overlap", () => {
  const lanes = lanesOf([bar(5, 9), bar(0, 5), bar(3, 7), bar(7, 8), bar(4, Infinity)]);
  assert.deepEqual(
    lanes.map(({ bars }) => bars.map(({ from, to }) => [from, to])),
    [[[0, 5], [5, 9]], [[3, 7], [7, 8]], [[4, Infinity]]],
  );
});

test("many bars at a time share the last lane", () => {
  const lanes = lanesOf(Array.from({ length: 100 }, (_, i) => bar(i, 1000)));
  assert.equal(lanes.length, LANES_MAX);
  assert.equal(lanes.reduce((sum, { bars }) => sum + bars.length, 0), 100);
});

test("the bars of a period are found as by looking at each", () => {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const bars = Array.from({ length: 500 }, () => {
    const from = random() * 1000;
    return bar(from, from + random() * (random() < 0.05 ? 400 : 10));
  }).sort((one, other) => one.from - other.from);
  const lane = laneOf(bars);
  for (let i = 0; i < 200; i++) {
    const from = random() * 1100 - 50;
    const to = from + random() * 100;
    const [first, last] = barsBetween(lane, from, to);
    bars.forEach((one, j) => {
      if (one.to > from && one.from < to) {
        assert.ok(j >= first && j < last);
      }
    });
    assert.ok(first === bars.length || bars.slice(0, first + 1).some((one) => one.to > from));
  }
});

test("rows are found by height", () => {
  const layout = layoutOf(oneGroup([bar(0, 1)], [bar(0, 2), bar(1, 3)], []), new Set());
  assert.equal(layout.rows.length, 4);
  assert.equal(layout.rows[0].height, GROUP_HEIGHT);
  assert.equal(layout.rows[2].height, layout.rows[1].height + LANE_HEIGHT);
  assert.deepEqual(rowsBetween(layout, 0, GROUP_HEIGHT), [0, 1]);
  assert.deepEqual(rowsBetween(layout, GROUP_HEIGHT, GROUP_HEIGHT + 1), [1, 2]);
  assert.deepEqual(rowsBetween(layout, 0, 10_000), [0, 4]);
  assert.deepEqual(rowsBetween(layout, 10_000, 10_001), [4, 4]);
});

test("a closed group has a heading and no rows", () => {
  const layout = layoutOf(oneGroup([bar(0, 1)]), new Set(["g"]));
  assert.deepEqual(layout.rows.map(({ key, closed }) => [key, closed]), [["g", true]]);
  assert.equal(layout.height, GROUP_HEIGHT);
});

test("bars narrower than a pixel are merged if they look the same", () => {
  const bars = Array.from({ length: 1000 }, (_, i) => bar(i, i + 1));
  const pieces = piecesOf(laneOf(bars), { from: 0, to: 1000 }, 100);
  assert.equal(pieces.length, 1);
  assert.equal(pieces[0].count, 1000);
  assert.equal(Math.round(pieces[0].right), 100);
});

test("of narrow bars with different looks at most one is drawn for a pixel or so", () => {
  const bars = Array.from({ length: 10_000 }, (_, i) => bar(i, i + 1, i % 2 ? "a" : "b"));
  const pieces = piecesOf(laneOf(bars), { from: 0, to: 10_000 }, 100);
  assert.ok(pieces.length <= 101, String(pieces.length));
  assert.equal(pieces.reduce((sum, { count }) => sum + count, 0), 10_000);
});

test("a gap of a pixel stays", () => {
  const pieces = piecesOf(laneOf([bar(0, 1), bar(50, 51)]), { from: 0, to: 1000 }, 100);
  assert.equal(pieces.length, 2);
});

test("wide bars are never merged, and are cut at the edges", () => {
  const pieces = piecesOf(laneOf([bar(-1e9, 10), bar(10, 20), bar(20, Infinity)]), { from: 0, to: 100 }, 100);
  assert.deepEqual(pieces.map(({ left, right }) => [left, right]), [[-8, 10], [10, 20], [20, 108]]);
});

test("a point hits the bar under it, and a narrow one nearby", () => {
  const wide = bar(10, 50);
  const narrow = bar(60, 60.1);
  const layout = layoutOf(oneGroup([wide, narrow]), new Set());
  const range = { from: 0, to: 100 };
  const y = laneTop(layout.rows[1], 0) + 5;
  assert.equal(hit(layout, range, 100, 30, y)?.piece.bar, wide);
  assert.equal(hit(layout, range, 100, 63, y)?.piece.bar, narrow);
  assert.equal(hit(layout, range, 100, 58, y)?.piece.bar, narrow);
  assert.equal(hit(layout, range, 100, 80, y), undefined);
  assert.equal(hit(layout, range, 100, 30, 5), undefined);
  assert.equal(hit(layout, range, 100, 30, 5000), undefined);
});

test("the keyboard goes to neighbours by time and to rows with bars", () => {
  const [one, two, below] = [bar(0, 10), bar(20, 30), bar(19, 40)];
  const { rows } = layoutOf(oneGroup([one, two], [], [below]), new Set());
  const layout = { rows, height: 0 };
  assert.equal(neighbour(layout, undefined, { across: 1, down: 0 }, 22), two);
  assert.equal(neighbour(layout, one, { across: 1, down: 0 }, 0), two);
  assert.equal(neighbour(layout, two, { across: 1, down: 0 }, 0), two);
  assert.equal(neighbour(layout, two, { across: 0, down: 1 }, 0), below);
  assert.equal(neighbour(layout, below, { across: 0, down: -1 }, 0), two);
  assert.equal(neighbour(layout, below, { across: 0, down: 1 }, 0), below);
  assert.equal(neighbour({ rows: [], height: 0 }, undefined, { across: 1, down: 0 }, 0), undefined);
});
