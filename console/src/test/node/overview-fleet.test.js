// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import {
  TINTS,
  blockOf,
  groupsOf,
  statesOf,
  tintsOf,
  usesOf,
} from "../../main/resources/io/sluice/console/pages/overview/fleet.js";
import {
  layoutOf,
  sliceAt,
  sliceByKey,
} from "../../main/resources/io/sluice/console/pages/overview/layout.js";
import { framesOf, pathsOf } from "../../main/resources/io/sluice/console/pages/overview/paths.js";

const slice = (name, more = {}) => ({
  name,
  type: "v6e",
  topology: "4x4",
  chips: 16,
  capacityType: "spot",
  condition: "READY",
  holders: [],
  ...more,
});

test("the states of a slice, the most serious first", () => {
  assert.deepEqual(statesOf(slice("a")), ["free"]);
  assert.deepEqual(statesOf(slice("a", { holders: [{ state: "RUNNING" }] })), ["running"]);
  assert.deepEqual(statesOf(slice("a", { holders: [{ state: "ADMITTED" }] })), ["starting"]);
  assert.deepEqual(
    statesOf(slice("a", { holders: [{ state: "DRAINING" }], claimed: true, condition: "LEAVING" })),
    ["leaving", "claimed", "draining"],
  );
  assert.deepEqual(statesOf(slice("a", { condition: "ABSENT", failed: true })), ["failed", "absent"]);
  assert.deepEqual(statesOf(slice("a", { kept: true })), ["kept"]);
});

test("a slice whose parts are held is held in part", () => {
  assert.deepEqual(statesOf(slice("a", { partly: true, holders: [{ state: "RUNNING" }, { state: "DRAINING" }] })), ["partly"]);
});

test("the holders of slices, the largest first; hidden ones have no name", () => {
  const { names, states } = usesOf(
    [
      slice("a", { holders: [{ state: "RUNNING", namespace: "n" }] }),
      slice("b", { holders: [{ state: "RUNNING", namespace: "n" }] }),
      slice("c", { holders: [{ state: "DRAINING" }] }),
      slice("d"),
    ],
    "namespace",
  );
  assert.deepEqual(names, [["n", 2], ["", 1]]);
  assert.deepEqual([...states].sort(), ["draining", "free", "running"]);
});

test("a block is the name without its last part", () => {
  assert.equal(blockOf("pool-a-17"), "pool-a");
  assert.equal(blockOf("s12"), "s");
  assert.equal(blockOf("7"), "7");
});

test("groups have totals, and blocks in the order of numbers", () => {
  const groups = groupsOf([
    slice("b-10", { holders: [{ state: "RUNNING" }] }),
    slice("b-2"),
    slice("a-1"),
    slice("a-2", { condition: "ABSENT" }),
    slice("x-0", { type: "v5e", chips: 4 }),
  ]);
  assert.deepEqual(groups.map((group) => group.key), ["v5e 4x4 spot", "v6e 4x4 spot"]);
  const [, group] = groups;
  assert.deepEqual([group.count, group.held, group.chips, group.heldChips], [4, 1, 64, 16]);
  assert.deepEqual(group.states, { running: 1, free: 2, absent: 1 });
  assert.deepEqual(
    group.blocks.map((block) => [block.name, block.slices.map((one) => one.name)]),
    [["a", ["a-1", "a-2"]], ["b", ["b-2", "b-10"]]],
  );
});

test("prefixes that no two slices share are no blocks", () => {
  const [group] = groupsOf(["a-1", "b-1", "c-1"].map((name) => slice(name)));
  assert.deepEqual(group.blocks.map((block) => block.slices.length), [3]);
});

test("no cell overlaps another one, nor the right edge", () => {
  const slices = [];
  for (let block = 0; block < 9; block++) {
    for (let i = 0; i < 5 + block * 3; i++) {
      slices.push(slice("b" + block + "-" + i));
    }
  }
  for (const width of [60, 300, 1200]) {
    const layout = layoutOf(groupsOf(slices)[0], width);
    assert.equal(layout.places.length, slices.length);
    assert.equal(new Set(layout.places.map(({ x, y }) => x + " " + y)).size, slices.length);
    for (const { x, y } of layout.places) {
      assert.ok(x + layout.size <= width && y + layout.size <= layout.height);
    }
  }
});

test("points and arrow keys find slices", () => {
  const layout = layoutOf(groupsOf([0, 1, 2, 3, 4].map((i) => slice("a-" + i)))[0], 3 * 26);
  assert.equal(sliceAt(layout, 27, 2)?.name, "a-1");
  assert.equal(sliceAt(layout, 60, 30), undefined);
  assert.equal(sliceByKey(layout, undefined, "ArrowRight")?.name, "a-0");
  assert.equal(sliceByKey(layout, "a-1", "ArrowDown")?.name, "a-4");
  assert.equal(sliceByKey(layout, "a-4", "ArrowUp")?.name, "a-1");
  assert.equal(sliceByKey(layout, "a-4", "ArrowRight")?.name, "a-4");
  assert.equal(sliceByKey(layout, "a-4", "Home")?.name, "a-0");
});

test("names have different tints while there are enough", () => {
  const names = Array.from({ length: TINTS }, (_, i) => "queue-" + i);
  const tints = tintsOf(names);
  assert.equal(new Set(tints.values()).size, TINTS);
  assert.deepEqual(tintsOf(names.toReversed()), tints);
  assert.equal(tintsOf([...names, "one more"]).size, TINTS + 1);
});

test("4,096 slices make few paths, quickly", () => {
  const states = ["RUNNING", "ADMITTED", "DRAINING", undefined];
  const slices = Array.from({ length: 4096 }, (_, i) =>
    slice("pool" + (i % 64) + "-" + i, {
      holders: states[i % 4] ? [{ state: states[i % 4], clusterQueue: "q" + (i % 20) }] : [],
    }),
  );
  const began = performance.now();
  const layout = layoutOf(groupsOf(slices)[0], 1200);
  const { fills, marks } = pathsOf(layout, ({ holders: [holder] }) => Number(holder.clusterQueue.slice(1)) % TINTS);
  const took = performance.now() - began;
  assert.ok(fills.size <= 2 * TINTS + 1, fills.size + " paths");
  assert.deepEqual([...marks.keys()], ["draining"]);
  assert.ok(framesOf(layout, (one) => one.name === "pool0-0").startsWith("M"));
  assert.ok(took < 1000, took + " ms");
});
