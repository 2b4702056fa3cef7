// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { GROUPS, standingOf, usesOf } from "../../main/resources/io/sluice/console/pages/usage/data.js";

const NOW = Date.parse("2026-11-27T12:00:00Z");
const TIMES = { from: "2026-11-27T10:00:00Z", to: "2026-11-27T11:00:00Z" };
const WHOLE = {
  slice: "a", type: "v5e", topology: "4x4", chips: 16, job: "j", index: 0, attempt: 1, name: "train",
  namespace: "n", queue: "main", submittedBy: "ann", team: "vision", priorityClass: "low",
  clusterQueue: "chips", outcome: "PREEMPTED", ...TIMES,
};
const UNREADABLE = { slice: "b", type: "v5e", chips: 16, clusterQueue: "chips", outcome: "SUCCEEDED", ...TIMES };

/** @param {Allocation} one @param {string} by */
const groupOf = (one, by) => usesOf({ allocations: [one], at: NOW }, by)[0].group;

test("a use has the group of its allocation", () => {
  assert.deepEqual(
    [...Object.keys(GROUPS), "outcome"].map((by) => groupOf(WHOLE, by)),
    ["vision", "n", "ann", "chips", "n/main", "low", "n/train", "v5e", "PREEMPTED"],
  );
});

test("what is not known of an allocation has a group too", () => {
  assert.deepEqual(
    [...Object.keys(GROUPS), "outcome"].map((by) => groupOf(UNREADABLE, by)),
    [...Array(3).fill("not readable"), "chips", ...Array(3).fill("not readable"), "v5e", "SUCCEEDED"],
  );
  const { priorityClass, submittedBy, outcome, type, ...less } = WHOLE;
  assert.deepEqual(
    ["class", "submitter", "outcome", "type"].map((by) => groupOf(less, by)),
    ["none", "unknown", "NOT_ENDED", "slices that are gone"],
  );
});

test("a use lasts until now, and tells preemption and chips", () => {
  const { to, ...lasting } = UNREADABLE;
  const [ended, open] = usesOf({ allocations: [WHOLE, lasting], at: NOW }, "team");
  assert.deepEqual([ended.to, ended.preempted, ended.chips], [Date.parse(TIMES.to), true, 16]);
  assert.deepEqual([open.to, open.preempted, open.slice], [NOW, false, "b"]);
});

/** @param {...string} kinds the newest first, an hour apart */
const history = (...kinds) => kinds.map((kind, i) => ({ kind, at: new Date(NOW - i * 3_600_000).toISOString() }));
/** @param {object} more @returns {any} */
const slice = (more) => ({ name: "a", condition: "READY", ...more });
const ago = (/** @type {number} */ hours) => NOW - hours * 3_600_000;

test("a slice is out of service since it was lost or began to leave", () => {
  const absent = slice({ condition: "ABSENT" });
  assert.deepEqual(standingOf(absent, history("SliceLost", "Held", "SliceLeaving", "SliceReturned", "SliceLost")), {
    cause: "out",
    since: ago(2),
  });
  assert.deepEqual(standingOf(absent, history("SlicesReleased", "SlicesGranted")), { cause: "out", since: ago(0) });
  assert.equal(standingOf(absent, history("Held", "SliceReturned", "SliceLost")), undefined);
  assert.equal(standingOf(absent, []), undefined);
});

test("a slice is kept since it was granted", () => {
  const kept = slice({ kept: true });
  assert.deepEqual(standingOf(kept, history("SlicesPassedOn", "SlicesGranted", "SlicesReleased")), {
    cause: "kept",
    since: ago(1),
  });
  assert.equal(standingOf(slice({}), history("SlicesGranted")), undefined);
});
