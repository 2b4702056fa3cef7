// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { merged } from "../../main/resources/io/sluice/console/shared/fleet-map.js";

const kind = { type: "v6e", topology: "4x4", chips: 16, capacityType: "spot" };
const answer = (revision, more) => ({ revision, changes: false, sliceCount: 2, kinds: [kind], holders: [], slices: [], ...more });
const first = answer("p-0", {
  holders: [{ job: "j", clusterQueue: "q", state: "RUNNING" }],
  slices: [{ name: "a", kind: 0, holders: [0] }, { name: "b", kind: 0, condition: "ABSENT" }],
});

test("slices have their kinds and holders", () => {
  const { items, complete } = merged(undefined, first);
  assert.ok(complete);
  assert.deepEqual(items.map(({ name, chips, condition, holders }) => [name, chips, condition, holders.length]), [
    ["a", 16, "READY", 1],
    ["b", 16, "ABSENT", 0],
  ]);
});

test("changes replace slices, and others stay the same objects", () => {
  const before = merged(undefined, first);
  const after = merged(before, answer("p-1", { changes: true, slices: [{ name: "b", kind: 0 }] }));
  assert.deepEqual(after.items.map(({ name, condition }) => [name, condition]), [["a", "READY"], ["b", "READY"]]);
  assert.equal(after.items[0], before.items[0]);
  assert.equal(after.revision, "p-1");
});

test("no change leaves the list as it is, so that nothing is drawn", () => {
  const before = merged(undefined, first);
  assert.equal(merged(before, answer("p-2", { changes: true })).items, before.items);
});

test("slices that left the fleet are gone, and a whole answer replaces everything", () => {
  const before = merged(undefined, first);
  const left = merged(before, answer("p-3", { changes: true, sliceCount: 1, gone: ["a"] }));
  assert.deepEqual(left.items.map(({ name }) => name), ["b"]);
  assert.deepEqual(merged(left, answer("x-0", { sliceCount: 3, slices: [{ name: "c", kind: 0 }] })), {
    revision: "x-0",
    items: [{ ...kind, name: "c", kind: 0, condition: "READY", holders: [] }],
    complete: false,
  });
});
