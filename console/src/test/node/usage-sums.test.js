// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";

process.env.TZ = "Europe/Berlin";
const { HOUR, clip, dayText, daysOf, largest, periodOf, sharesOf, stacked, sumsOf, total } = await import(
  "../../main/resources/io/sluice/console/pages/usage/sums.js"
);

/** @param {string} text */
const at = (text) => Date.parse(text);
const MIDNIGHT = at("2026-11-20T00:00:00+01:00");
/** @param {number} from @param {number} to hours after midnight @param {object} [more] @returns {any} */
const use = (from, to, more = {}) => ({
  from: MIDNIGHT + from * HOUR, to: MIDNIGHT + to * HOUR, chips: 16, type: "v5e", slice: "s", preempted: false,
  group: "a", ...more,
});

test("a period is clipped", () => {
  assert.deepEqual(clip({ from: 0, to: 10 }, { from: 5, to: 20 }), { from: 5, to: 10 });
  assert.equal(clip({ from: 0, to: 5 }, { from: 5, to: 20 }), undefined);
});

test("days begin at local midnight, and may have 25 hours", () => {
  const days = daysOf({ from: at("2026-10-24T12:00:00+02:00"), to: at("2026-10-26T06:00:00+01:00") });
  assert.deepEqual(days.map(({ from, to }) => (to - from) / HOUR), [12, 25, 6]);
  assert.deepEqual(daysOf({ from: 5, to: 5 }), []);
});

test("chip-hours are divided between days and clipped to the period", () => {
  const days = daysOf({ from: MIDNIGHT, to: MIDNIGHT + 48 * HOUR });
  const [sum] = sumsOf([use(-5, 2), use(22, 26), use(47, 60), use(-9, 0)], days);
  assert.deepEqual(sum.byDay, [(2 + 2) * 16, (2 + 1) * 16]);
  assert.equal(sum.chipHours, 7 * 16);
  assert.equal(sum.allocations, 3);
});

test("groups are ordered by size, and slices that are gone count apart", () => {
  const days = daysOf({ from: MIDNIGHT, to: MIDNIGHT + 24 * HOUR });
  const sums = sumsOf([use(0, 1), use(0, 3, { group: "b" }), use(0, 5, { chips: undefined })], days);
  assert.deepEqual(
    sums.map(({ group, chipHours, sliceHours }) => [group, chipHours, sliceHours]),
    [["b", 48, 0], ["a", 16, 5]],
  );
  assert.deepEqual(sumsOf([use(0, 1)], []), []);
});

test("small groups are joined", () => {
  const days = daysOf({ from: MIDNIGHT, to: MIDNIGHT + 24 * HOUR });
  const sums = sumsOf([1, 2, 3, 4].map((hours) => use(0, hours, { group: "g" + hours })), days);
  const joined = largest(sums, 3, "others");
  assert.deepEqual(joined.map(({ group, chipHours }) => [group, chipHours]), [["g4", 64], ["g3", 48], ["others", 48]]);
  assert.equal(largest(sums, 4, "others"), sums);
  assert.equal(total(joined, "all").chipHours, total(sums, "all").chipHours);
  assert.deepEqual(total([], "all"), { group: "all", chipHours: 0, preempted: 0, byDay: [], sliceHours: 0, allocations: 0 });
});

test("chip-hours of attempts that ended by preemption are summed apart", () => {
  const days = daysOf({ from: MIDNIGHT, to: MIDNIGHT + 24 * HOUR });
  const sums = sumsOf([use(0, 1), use(-2, 3, { preempted: true }), use(0, 1, { group: "b" })], days);
  assert.deepEqual(sums.map(({ group, chipHours, preempted }) => [group, chipHours, preempted]), [["a", 64, 48], ["b", 16, 0]]);
  assert.equal(total(sums, "all").preempted, 48);
});

const PERIOD = { from: MIDNIGHT, to: MIDNIGHT + 10 * HOUR };
const SLICES = [
  { name: "e", type: "v6e", chips: 8 },
  { name: "s", type: "v5e", chips: 16 },
  { name: "t", type: "v5e", chips: 16 },
];
/** @param {any[]} uses @param {[string, object][]} [standings] */
const shares = (uses, standings = []) => sharesOf(uses, SLICES, PERIOD, new Map(/** @type {any} */ (standings)));

test("shares compare with the capacity of present slices", () => {
  assert.deepEqual(shares([use(-5, 5), use(0, 1, { type: "", chips: 4 })]), [
    { type: "v5e", chips: 32, capacity: 320, used: 80, out: 0, kept: 0, idle: 240 },
    { type: "v6e", chips: 8, capacity: 80, used: 0, out: 0, kept: 0, idle: 80 },
  ]);
});

test("idle time is divided by its cause, from the end of the last use on", () => {
  const [v5e, v6e] = shares(
    [use(0, 4), use(0, 7, { slice: "t/2x2-1", chips: 4 })],
    [
      ["s", { cause: "out", since: MIDNIGHT + 2 * HOUR }],
      ["t", { cause: "kept", since: MIDNIGHT - 9 * HOUR }],
      ["e", { cause: "out", since: MIDNIGHT - 9 * HOUR }],
    ],
  );
  assert.deepEqual([v5e.used, v5e.out, v5e.kept, v5e.idle], [64 + 28, 6 * 16, 3 * 16, 320 - 92 - 96 - 48]);
  assert.deepEqual([v6e.used, v6e.out, v6e.kept, v6e.idle], [0, 80, 0, 0]);
});

test("causes explain no more than the time without use, and nothing before they began", () => {
  const joined = use(0, 10, { slice: "4x8:[s,t]", chips: 32 });
  const [used] = shares([joined], [["s", { cause: "out", since: MIDNIGHT }]]);
  assert.deepEqual([used.used, used.out, used.idle], [320, 0, 0]);
  const [later] = shares([], [["s", { cause: "kept", since: MIDNIGHT + 11 * HOUR }]]);
  assert.deepEqual([later.kept, later.idle], [0, 320]);
});

test("layers of a stack add up", () => {
  assert.deepEqual(stacked([[1, 2], [3, 0], [0, 4]]), [[1, 2], [4, 2], [4, 6]]);
});

test("a period of the address ends now at the latest, and faulty days count as absent", () => {
  const now = MIDNIGHT + 15 * HOUR;
  const today = periodOf(null, null, now, 1);
  assert.deepEqual(today, { from: MIDNIGHT, to: now });
  assert.deepEqual(periodOf("x", "2026-1-1", now, 1), today);
  assert.deepEqual(periodOf("2026-11-18", "2026-11-18", now, 7), {
    from: at("2026-11-18T00:00:00+01:00"),
    to: at("2026-11-19T00:00:00+01:00"),
  });
  assert.deepEqual(periodOf("2026-11-20", "2030-01-01", now, 7), { from: MIDNIGHT, to: now });
  const reversed = periodOf("2026-11-19", "2026-11-10", now, 7);
  assert.equal(reversed.from, reversed.to);
  const long = periodOf("2000-01-01", null, now, 7);
  assert.equal(long.to - long.from, 92 * 24 * HOUR);
});

test("days are written as the address has them", () => {
  assert.equal(dayText(MIDNIGHT), "2026-11-20");
  assert.equal(dayText(MIDNIGHT - 1), "2026-11-19");
});
