// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import {
  endedEntries,
  groupsOf,
  pastEntries,
  plannedEntries,
  runEntries,
} from "../../main/resources/io/sluice/console/pages/timeline/bars.js";

const NOW = Date.parse("2026-11-27T12:00:00Z");
const TPU = [{ flavor: "v5e", resource: "google.com/tpu", amount: "16" }];
const CPU = [
  { flavor: "cpu", resource: "cpu", amount: "1" },
  { flavor: "cpu", resource: "memory", amount: "4Gi" },
];
const RUNNING = {
  kind: "running", job: "j", namespace: "n", name: "train", index: 0, attempt: 2, state: "RUNNING",
  queue: "main", clusterQueue: "vision", start: "2026-11-27T11:00:00Z", end: "2026-11-27T13:00:00Z",
  amounts: TPU, slices: ["a", "b"],
};

test("an entry of the plan is in the row of each slice", () => {
  const entries = plannedEntries([RUNNING], NOW);
  assert.deepEqual(entries.map(({ row, kind }) => [row, kind]), [["slice a", "running"], ["slice b", "running"]]);
  assert.equal(entries[0].to, Date.parse(RUNNING.end));
});

test("an entry without slices is in the row of its queue and flavor, once", () => {
  const entries = plannedEntries([{ ...RUNNING, amounts: CPU, slices: [] }], NOW);
  assert.deepEqual(entries.map(({ row }) => row), ["quota cpu vision"]);
});

test("running work without a time limit has no end, and late work lasts until now", () => {
  assert.equal(plannedEntries([{ ...RUNNING, end: undefined }], NOW)[0].to, Infinity);
  assert.equal(plannedEntries([{ ...RUNNING, end: "2026-11-27T11:30:00Z" }], NOW)[0].to, NOW);
});

test("kinds of the plan, also ones that are not known yet", () => {
  /** @param {object} more */
  const kind = (more) => plannedEntries([{ ...RUNNING, ...more }], NOW)[0].kind;
  assert.equal(kind({ state: "DRAINING" }), "draining");
  assert.equal(kind({ kind: "promised", firm: true }), "firm");
  assert.equal(kind({ kind: "promised", firm: false }), "promised");
  assert.equal(kind({ kind: "booked" }), "booked");
  assert.equal(kind({ kind: "absent" }), "outage");
  assert.equal(kind({ kind: "something" }), "expected");
});

test("a promise without a time is left out", () => {
  assert.deepEqual(plannedEntries([{ ...RUNNING, kind: "promised", start: undefined }], NOW), []);
});

test("an estimate covers its range", () => {
  const [entry] = plannedEntries(
    [{
      ...RUNNING, kind: "expected", start: "2026-11-27T12:10:00Z", end: "2026-11-27T12:20:00Z", slices: [],
      expected: { earliest: "2026-11-27T12:05:00Z", latest: "2026-11-27T12:40:00Z", confidence: 0.8 },
    }],
    NOW,
  );
  assert.equal(entry.from, Date.parse("2026-11-27T12:05:00Z"));
  assert.equal(entry.to, Date.parse("2026-11-27T12:40:00Z"));
  assert.equal(entry.start, Date.parse("2026-11-27T12:10:00Z"));
});

test("an allocation that the plan names is not shown twice", () => {
  const open = {
    slice: "a", job: "j", index: 0, attempt: 2, name: "train", namespace: "n", queue: "main", clusterQueue: "vision",
    from: RUNNING.start,
  };
  assert.deepEqual(pastEntries([open], [RUNNING], NOW), []);
  const [ended] = pastEntries([open], [], NOW);
  assert.equal(ended.to, NOW);
  assert.equal(ended.clusterQueue, "vision");
  const [replaced] = pastEntries([{ ...open, attempt: 1, from: "2026-11-27T10:00:00Z" }], [RUNNING], NOW);
  assert.equal(replaced.to, Date.parse(RUNNING.start));
  const [before] = pastEntries([{ ...open, to: "2026-11-27T11:30:00Z", outcome: "EVICTED" }], [RUNNING], NOW);
  assert.equal(before.to, Date.parse("2026-11-27T11:30:00Z"));
  assert.deepEqual([before.outcome, before.namespace, before.queue], ["EVICTED", "n", "main"]);
});

test("an allocation of a job that may not be read has no name", () => {
  const [entry] = pastEntries([{ slice: "a", clusterQueue: "vision", from: RUNNING.start, to: RUNNING.end }], [], NOW);
  assert.equal(entry.name, undefined);
  assert.equal(entry.job, undefined);
  assert.equal(entry.clusterQueue, "vision");
});

test("an open allocation of a job that may not be read is shown once", () => {
  const { job, name, namespace, index, attempt, ...unreadable } = RUNNING;
  assert.deepEqual(pastEntries([{ slice: "a", clusterQueue: "vision", from: RUNNING.start }], [unreadable], NOW), []);
});

test("an ended attempt is in the row of its queue and each of its flavors, unless the plan has it", () => {
  const one = {
    job: "j", index: 0, attempt: 2, name: "train", namespace: "n", queue: "main", clusterQueue: "vision",
    from: RUNNING.start, to: RUNNING.end, outcome: "SUCCEEDED", slices: [],
    amounts: [...CPU, { flavor: "spot", resource: "cpu", amount: "2" }],
  };
  const entries = endedEntries([one], []);
  assert.deepEqual(entries.map(({ row, kind }) => [row, kind]), [["quota cpu vision", "past"], ["quota spot vision", "past"]]);
  assert.deepEqual([entries[0].from, entries[0].to], [Date.parse(one.from), Date.parse(one.to)]);
  assert.deepEqual(endedEntries([one], [RUNNING]), []);
  assert.equal(endedEntries([{ ...one, attempt: 1 }], [RUNNING]).length, 2);
  const { job, index, attempt, name, namespace, queue, ...unreadable } = one;
  assert.equal(endedEntries([unreadable], [RUNNING])[0].name, undefined);
});

const SLICES = ["a-10", "a-9", "b-0"].map((name) => ({ name, type: name[0], topology: "4x4" }));
const ALL = { queue: "", type: "", text: "" };

/** @param {any[]} entries @param {object} [filter] */
function rowsOf(entries, filter = {}) {
  return groupsOf(entries, SLICES, { ...ALL, ...filter }, ({ kind }) => kind).map(({ key, rows }) => [
    key,
    ...rows.map(({ name, bars }) => name + ":" + bars.length),
  ]);
}

test("rows are grouped by type, quota and slices that are gone", () => {
  const entries = [
    ...plannedEntries([{ ...RUNNING, slices: ["a-9", "old"] }, { ...RUNNING, amounts: CPU, slices: [] }], NOW),
    ...runEntries([{ pipeline: "p", namespace: "n", dueAt: "2026-11-27T12:10:00Z" }]),
  ];
  assert.deepEqual(rowsOf(entries), [
    ["runs", "all pipelines:1"],
    ["slices a 4x4", "a-9:1", "a-10:0"],
    ["slices b 4x4", "b-0:0"],
    ["quota cpu", "vision:1"],
    ["gone", "old:1"],
  ]);
  assert.deepEqual(rowsOf(entries, { type: "b" }), [["slices b 4x4", "b-0:0"]]);
});

test("a filter of entries leaves out rows without any", () => {
  const entries = plannedEntries(
    [{ ...RUNNING, slices: ["a-9"] }, { ...RUNNING, slices: ["b-0"], clusterQueue: "speech", name: "Other" }],
    NOW,
  );
  assert.deepEqual(rowsOf(entries, { queue: "vision" }), [["slices a 4x4", "a-9:1"]]);
  assert.deepEqual(rowsOf(entries, { text: "n/OTH" }), [["slices b 4x4", "b-0:1"]]);
  assert.deepEqual(rowsOf(entries, { text: "nothing" }), []);
});
