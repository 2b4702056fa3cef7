// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { blockerText, largestFirst } from "../../main/resources/io/sluice/console/shared/blockers.js";
import {
  amountText,
  barOf,
  borrowersFor,
  lentOf,
  promisedOf,
  quotasOf,
  totalsOf,
  unitText,
} from "../../main/resources/io/sluice/console/pages/queues/usage.js";

const queue = (name, nominal, total, more = {}) => ({
  metadata: { name },
  spec: {
    resourceGroups: [{ flavors: [{ name: "v6e", resources: [{ name: "tpu", nominalQuota: nominal, ...more }] }] }],
  },
  status: total && { flavorsUsage: [{ name: "v6e", resources: [{ name: "tpu", nominal, total }] }] },
});

test("quotas have usage, loans and limits", () => {
  assert.deepEqual(quotasOf(queue("a", "32", "64", { borrowingLimit: "40" })), [
    { flavor: "v6e", resource: "tpu", nominal: 32, used: 64, borrowed: 32, borrowingLimit: 40, lendingLimit: undefined },
  ]);
  assert.equal(quotasOf(queue("a", "500m", undefined))[0].used, 0);
  assert.deepEqual(quotasOf({ metadata: {}, spec: {} }), []);
});

test("a single lender lends all that is borrowed", () => {
  const objects = [queue("a", "32", "64"), queue("b", "64", "16")];
  const total = totalsOf(objects, []).get("v6e tpu");
  assert.deepEqual([total.nominal, total.used, total.borrowed], [96, 80, 32]);
  assert.deepEqual(lentOf(quotasOf(objects[1])[0], total), { least: 32, most: 32 });
  assert.deepEqual(lentOf(quotasOf(objects[0])[0], total), { least: 0, most: 0 });
  assert.deepEqual(borrowersFor(total, "b"), [{ queue: "a", borrowed: 32 }]);
  assert.deepEqual(borrowersFor(total, "a"), []);
});

test("with several lenders, or quota of the cohort, the loan has bounds", () => {
  const objects = [queue("a", "0", "40"), queue("b", "32", "0"), queue("c", "32", "0")];
  const total = totalsOf(objects, []).get("v6e tpu");
  assert.deepEqual(lentOf(quotasOf(objects[1])[0], total), { least: 8, most: 32 });
  const withOwn = totalsOf(objects, [queue("cohort", "64")]).get("v6e tpu");
  assert.deepEqual(lentOf(quotasOf(objects[1])[0], withOwn), { least: 0, most: 32 });
  const limited = quotasOf(queue("b", "32", "0", { lendingLimit: "4" }))[0];
  assert.deepEqual(lentOf(limited, total), { least: 4, most: 4 });
  assert.deepEqual(lentOf(limited, undefined), { least: 0, most: 0 });
});

test("the segments of a bar end within it", () => {
  const quota = { flavor: "f", resource: "r", nominal: 50, used: 80, borrowed: 30 };
  assert.deepEqual(barOf(quota, { promised: 40 }), {
    nominal: 62.5,
    segments: [
      { kind: "used", left: 0, width: 62.5 },
      { kind: "borrowed", left: 62.5, width: 37.5 },
      { kind: "promised", left: 0, width: 50 },
    ],
  });
  assert.equal(barOf(quota, { promised: 500 }).segments[2].width, 100);
  assert.deepEqual(barOf({ ...quota, used: 0, borrowed: 0 }, { lent: 10 }), {
    nominal: 100,
    segments: [{ kind: "lent", left: 80, width: 20 }],
  });
  assert.deepEqual(barOf({ ...quota, nominal: 0, used: 0, borrowed: 0 }), { nominal: 0, segments: [] });
});

test("promised amounts are summed up by flavor and resource", () => {
  const amounts = [{ flavor: "v6e", resource: "tpu", amount: "16" }];
  const sums = promisedOf([{ kind: "promised", amounts }, { kind: "promised", amounts }, { kind: "running", amounts }]);
  assert.deepEqual([...sums], [["v6e tpu", 32]]);
});

test("groups are sorted, the largest first", () => {
  const groups = [["B", 1], ["A", 1], ["", 3]].map(([blocker, count]) => ({ blocker, count }));
  assert.deepEqual(
    largestFirst(groups, ({ blocker }) => blocker).map(({ blocker }) => blocker),
    ["", "A", "B"],
  );
  assert.equal(blockerText("QUOTA_IN_USE"), "quota in use");
  assert.equal(blockerText(""), "not decided yet");
});

test("amounts have units", () => {
  assert.equal(amountText("memory", 16 * 2 ** 30), "16Gi");
  assert.equal(amountText("memory", 0), "0");
  assert.equal(amountText("google.com/tpu", 4096), "4,096");
  assert.equal(unitText("google.com/tpu", 1), " chip");
  assert.equal(unitText("cpu", 0.5), " cores");
  assert.equal(unitText("other", 2), "");
});
