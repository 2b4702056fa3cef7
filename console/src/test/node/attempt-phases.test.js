// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { phasesOf, rowsOf } from "../../main/resources/io/sluice/console/pages/jobs/attempt-phases.js";

const AT = (/** @type {number} */ second) => new Date(second * 1000).toISOString();

test("an attempt that ended has all of its phases", () => {
  const attempt = {
    index: 0,
    attempt: 1,
    state: "ENDED",
    admittedAt: AT(10),
    startedAt: AT(12),
    drainingAt: AT(30),
    endedAt: AT(33),
  };
  assert.deepEqual(phasesOf(attempt, 0, 99_000), [
    { phase: "waiting", from: 0, to: 10_000 },
    { phase: "starting", from: 10_000, to: 12_000 },
    { phase: "running", from: 12_000, to: 30_000 },
    { phase: "draining", from: 30_000, to: 33_000 },
  ]);
});

test("an attempt that never started did not run", () => {
  const attempt = { index: 0, attempt: 1, state: "ENDED", admittedAt: AT(10), endedAt: AT(20) };
  assert.deepEqual(
    phasesOf(attempt, 10_000, 99_000).map(({ phase }) => phase),
    ["starting"],
  );
});

test("the wait before an attempt begins at the end of the one before it", () => {
  const job = /** @type {any} */ ({ spec: {}, status: { createdAt: AT(0), state: "PENDING" } });
  const attempts = [
    { index: 0, attempt: 2, state: "ENDED", admittedAt: AT(50), startedAt: AT(51), endedAt: AT(60) },
    { index: 0, attempt: 1, state: "ENDED", admittedAt: AT(5), startedAt: AT(6), endedAt: AT(20) },
  ];
  const rows = rowsOf(attempts, job, 70_000);
  assert.deepEqual(rows.map(({ name }) => name), ["attempt 1", "attempt 2", "waiting"]);
  assert.deepEqual(rows[1].phases[0], { phase: "waiting", from: 20_000, to: 50_000 });
  assert.deepEqual(rows[2].phases, [{ phase: "waiting", from: 60_000, to: 70_000 }]);
});
