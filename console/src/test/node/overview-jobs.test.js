// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import {
  failuresSince,
  slicesOf,
} from "../../main/resources/io/sluice/console/pages/overview/jobs.js";

const failed = (id, name, finishedAt, reason = "ended with code 1", namespace = "n") => ({
  id,
  metadata: { name, namespace },
  status: { finishedAt, reason },
});

test("failures of the same kind are one entry", () => {
  const groups = failuresSince(
    [
      failed("1", "flaky-1-check", "2026-11-27T10:00:00Z"),
      failed("2", "flaky-12-check", "2026-11-27T10:05:00Z"),
      failed("3", "flaky-13-check", "2026-11-27T10:04:00Z", "lost"),
      failed("4", "flaky-14-check", "2026-11-27T08:00:00Z"),
      failed("5", "flaky-15-check", "2026-11-27T10:03:00Z", "ended with code 1", "other"),
      { id: "6", metadata: { name: "x", namespace: "n" }, status: {} },
    ],
    Date.parse("2026-11-27T09:30:00Z"),
  );
  assert.deepEqual(groups.map(({ newest, count }) => [newest.id, count]), [["2", 2], ["3", 1], ["5", 1]]);
});

test("the slices that jobs hold", () => {
  const slices = [
    { name: "s1", holders: [{ job: "a" }] },
    { name: "s2", holders: [{ job: "b" }, { job: "c" }] },
    { name: "s3", holders: [{}] },
  ];
  assert.deepEqual([...slicesOf(slices, new Set(["a", "c"]))], ["s1", "s2"]);
});
