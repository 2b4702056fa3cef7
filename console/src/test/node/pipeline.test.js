// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { moveBy, movedBy, stepNames } from "../../main/resources/io/sluice/console/pages/pipelines/pipeline-columns.js";
import { readParameters, textOf, timeOf, valueOf } from "../../main/resources/io/sluice/console/pages/pipelines/pipeline-parameters.js";
import { RUNS_SHOWN, rowsByNamespace } from "../../main/resources/io/sluice/console/pages/pipelines/pipeline-rows.js";

const column = (id, ...steps) => ({ id, name: id, state: "RUNNING", steps: new Map(steps.map((name) => [name, "RUNNING"])) });

test("rows of the grid: the steps of the newest run first, then those of older versions", () => {
  const columns = [column("a", "fetch", "old"), column("b", "fetch", "train")];
  assert.deepEqual(stepNames(columns, 10), { names: ["fetch", "train", "old"], more: 0 });
  assert.deepEqual(stepNames(columns, 2), { names: ["fetch", "train"], more: 1 });
});

test("columns move left by the runs that are dropped, not by those that are added", () => {
  assert.equal(movedBy(["a", "b"], ["a", "b", "c"]), 0);
  assert.equal(movedBy(["a", "b", "c"], ["b", "c", "d"]), 1);
  assert.equal(movedBy(["a"], ["x"]), 0);
  assert.equal(movedBy([], ["x"]), 0);
});

test("arrow keys stay within the grid", () => {
  const size = { rows: 2, columns: 3 };
  assert.deepEqual(moveBy("ArrowRight", { row: 0, column: 2 }, size), { row: 0, column: 2 });
  assert.deepEqual(moveBy("ArrowDown", { row: 0, column: 1 }, size), { row: 1, column: 1 });
  assert.deepEqual(moveBy("Home", { row: 1, column: 2 }, size), { row: 1, column: 0 });
  assert.equal(moveBy("Enter", { row: 0, column: 0 }, size), undefined);
});

test("parameters are JSON, or texts without quotes", () => {
  assert.equal(valueOf(" 8 "), 8);
  assert.equal(valueOf('"8"'), "8");
  assert.equal(valueOf("gs://bucket/x"), "gs://bucket/x");
  assert.deepEqual(valueOf('{"a": [1]}'), { a: [1] });
  assert.throws(() => valueOf("[1,"), /is no JSON value/);
  for (const value of [0, "8", null, [1, "a"], { a: false }]) {
    assert.deepEqual(valueOf(textOf(value)), value);
  }
});

test("an empty parameter gets its default from the server, and needs one", () => {
  const read = readParameters([{ name: "a", default: 1 }, { name: "b" }, { name: "c" }], { a: "", b: " ", c: "2" });
  assert.deepEqual(read, { values: { c: 2 }, faults: { b: "is required" } });
});

test("a time of a form is one in UTC", () => {
  assert.equal(timeOf(""), undefined);
  assert.equal(timeOf("nonsense"), undefined);
  assert.equal(timeOf("2026-11-27T10:00"), new Date(2026, 10, 27, 10).toISOString());
});

test("rows have the newest runs, oldest of them first, and the earliest next fire", () => {
  const pipelines = [
    { metadata: { namespace: "n", name: "Nightly" }, status: { runs: 20 } },
    { metadata: { namespace: "m", name: "other" }, status: { runs: 0 } },
  ];
  const runs = Array.from({ length: 20 }, (_, i) => ({ id: String(20 - i), namespace: "n", pipeline: "Nightly" }));
  const schedules = [
    { namespace: "n", pipeline: "Nightly", dueAt: "2026-11-27T19:00:00Z" },
    { namespace: "n", pipeline: "Nightly", paused: true },
    { namespace: "n", pipeline: "Nightly", dueAt: "2026-11-27T18:00:00.5Z" },
  ];
  const rows = rowsByNamespace(pipelines, schedules, runs, { namespace: "", text: "night" });
  assert.deepEqual([...rows.keys()], ["n"]);
  const [row] = rows.get("n");
  assert.equal(row.last.length, RUNS_SHOWN);
  assert.equal(row.last.at(-1).id, "20");
  assert.equal(row.next, "2026-11-27T18:00:00.5Z");
  assert.equal(rowsByNamespace(pipelines, [], [], { namespace: "m", text: "" }).get("m")[0].next, undefined);
});
