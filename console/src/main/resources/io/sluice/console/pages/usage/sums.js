// SPDX-License-Identifier: Apache-2.0
// Sums of usage: chip-hours of allocations by group and day, and the share of capacity.

export const HOUR = 3_600_000;
/** The longest period that is summed. */
const DAYS_MAX = 92;

/**
 * An allocation of a slice, as the sums take it.
 * @typedef {object} Use
 * @property {string} slice
 * @property {number} from in milliseconds
 * @property {number} to in milliseconds
 * @property {number | undefined} chips undefined: unknown
 * @property {string} type accelerator type; empty: the slice is gone
 * @property {boolean} preempted whether the attempt ended by preemption
 * @property {string} group
 *
 * @typedef {{from: number, to: number}} Period `from` is included, `to` is not
 *
 * @typedef {object} GroupSum
 * @property {string} group
 * @property {number} chipHours
 * @property {number} preempted chip-hours of attempts that ended by preemption
 * @property {number[]} byDay chip-hours of each day
 * @property {number} sliceHours of slices whose chips are unknown
 * @property {number} allocations
 */

/**
 * Returns the part of a period within another one; undefined if there is none.
 * @param {Period} one
 * @param {Period} within
 * @returns {Period | undefined}
 */
export function clip(one, within) {
  const from = Math.max(one.from, within.from);
  const to = Math.min(one.to, within.to);
  return to > from ? { from, to } : undefined;
}

/**
 * Returns the days of a period in the local time zone. The first and the last one may be parts of a
 * day. A day on which a clock is put forward or back has 23 or 25 hours.
 * @param {Period} period
 * @returns {Period[]}
 */
export function daysOf({ from, to }) {
  /** @type {Period[]} */
  const days = [];
  for (let start = from; start < to; ) {
    const date = new Date(start);
    const next = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
    const end = Math.min(next, to);
    days.push({ from: start, to: end });
    start = end;
  }
  return days;
}

/**
 * Returns the sums of groups, the largest first.
 * @param {Use[]} uses
 * @param {Period[]} days in order, without gaps
 * @returns {GroupSum[]}
 */
export function sumsOf(uses, days) {
  /** @type {Map<string, GroupSum>} */
  const sums = new Map();
  if (days.length === 0) {
    return [];
  }
  const period = { from: days[0].from, to: days[days.length - 1].to };
  for (const use of uses) {
    const within = clip(use, period);
    if (!within) {
      continue;
    }
    const sum = sums.get(use.group) ?? {
      group: use.group,
      chipHours: 0,
      preempted: 0,
      byDay: days.map(() => 0),
      sliceHours: 0,
      allocations: 0,
    };
    sums.set(use.group, sum);
    sum.allocations++;
    if (use.chips === undefined) {
      sum.sliceHours += (within.to - within.from) / HOUR;
      continue;
    }
    for (const [i, day] of days.entries()) {
      const part = clip(within, day);
      if (part) {
        const chipHours = ((part.to - part.from) / HOUR) * use.chips;
        sum.byDay[i] += chipHours;
        sum.chipHours += chipHours;
        sum.preempted += use.preempted ? chipHours : 0;
      }
    }
  }
  return [...sums.values()].sort(
    (one, other) => other.chipHours - one.chipHours || one.group.localeCompare(other.group),
  );
}

/**
 * Joins the groups after the largest ones into one.
 * @param {GroupSum[]} sums ordered by size
 * @param {number} max
 * @param {string} name of the rest
 * @returns {GroupSum[]}
 */
export function largest(sums, max, name) {
  if (sums.length <= max) {
    return sums;
  }
  return [...sums.slice(0, max - 1), total(sums.slice(max - 1), name)];
}

/**
 * Returns the sum of sums.
 * @param {GroupSum[]} sums
 * @param {string} name
 * @returns {GroupSum}
 */
export function total(sums, name) {
  return {
    group: name,
    chipHours: sums.reduce((sum, { chipHours }) => sum + chipHours, 0),
    preempted: sums.reduce((sum, { preempted }) => sum + preempted, 0),
    byDay: (sums[0]?.byDay ?? []).map((_, day) => sums.reduce((sum, { byDay }) => sum + byDay[day], 0)),
    sliceHours: sums.reduce((sum, { sliceHours }) => sum + sliceHours, 0),
    allocations: sums.reduce((sum, { allocations }) => sum + allocations, 0),
  };
}

/**
 * Why a slice is idle, and since when.
 * @typedef {{cause: "out" | "kept", since: number}} Standing
 *
 * @typedef {object} Share
 * @property {string} type
 * @property {number} chips
 * @property {number} capacity chip-hours
 * @property {number} used chip-hours
 * @property {number} out chip-hours out of service
 * @property {number} kept chip-hours kept for a job
 * @property {number} idle the other chip-hours
 */

/**
 * Returns the use of the present slices of each type. Capacity is chips times time, as if each slice
 * had been there all the time. What is neither used nor explained by a standing is idle.
 * @param {Use[]} uses
 * @param {{name: string, type: string, chips: number}[]} slices
 * @param {Period} period
 * @param {Map<string, Standing>} standings by slice
 * @returns {Share[]}
 */
export function sharesOf(uses, slices, period, standings) {
  const hours = Math.max(0, period.to - period.from) / HOUR;
  /** @type {Map<string, Share>} */
  const shares = new Map();
  for (const { type, chips } of slices) {
    const share = shares.get(type) ?? { type, chips: 0, capacity: 0, used: 0, out: 0, kept: 0, idle: 0 };
    shares.set(type, share);
    share.chips += chips;
    share.capacity += chips * hours;
  }
  for (const use of uses) {
    const share = shares.get(use.type);
    const within = clip(use, period);
    if (share && within && use.chips !== undefined) {
      share.used += ((within.to - within.from) / HOUR) * use.chips;
    }
  }
  for (const { name, type, chips } of slices) {
    const standing = standings.get(name);
    const share = shares.get(type);
    if (standing && share) {
      const since = Math.max(standing.since, lastUse(uses, name));
      const within = clip({ from: since, to: period.to }, period);
      share[standing.cause] += within ? ((within.to - within.from) / HOUR) * chips : 0;
    }
  }
  for (const share of shares.values()) {
    // Use of a slice that was joined of others is not known by member, so the parts may be too large.
    const unused = Math.max(0, share.capacity - share.used);
    share.out = Math.min(share.out, unused);
    share.kept = Math.min(share.kept, unused - share.out);
    share.idle = unused - share.out - share.kept;
  }
  return [...shares.values()].sort((one, other) => one.type.localeCompare(other.type));
}

/**
 * Returns when a slice, or a part of it, was last used; 0 if never.
 * @param {Use[]} uses
 * @param {string} name
 */
function lastUse(uses, name) {
  return uses.reduce(
    (last, { slice, to }) => (slice === name || slice.startsWith(name + "/") ? Math.max(last, to) : last),
    0,
  );
}

/**
 * Returns the layers of a stacked chart: each is the sum of its group and the ones below it.
 * @param {number[][]} series
 * @returns {number[][]}
 */
export function stacked(series) {
  /** @type {number[][]} */
  const layers = [];
  for (const values of series) {
    const below = layers[layers.length - 1];
    layers.push(values.map((value, i) => value + (below ? below[i] : 0)));
  }
  return layers;
}

/**
 * Returns the period that an address asks for, at most 92 days long. Values that are no times count
 * as absent.
 * @param {string | null} since a day as `2026-11-20`
 * @param {string | null} until the last day, included
 * @param {number} now
 * @param {number} days of the default
 * @returns {Period} which ends now at the latest
 */
export function periodOf(since, until, now, days) {
  const end = dayOf(until, 1) ?? now;
  const today = new Date(now);
  const to = Math.min(end, now);
  const start =
    dayOf(since, 0) ??
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1).getTime();
  return { from: Math.max(Math.min(start, to), to - DAYS_MAX * 24 * HOUR), to };
}

/**
 * @param {string | null} text
 * @param {number} later days
 */
function dayOf(text, later) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? "");
  if (!match) {
    return undefined;
  }
  const [year, month, day] = match.slice(1).map(Number);
  return new Date(year, month - 1, day + later).getTime();
}

/** Returns a local day as `2026-11-20`. @param {number} time */
export function dayText(time) {
  const date = new Date(time);
  /** @param {number} part */
  const two = (part) => String(part).padStart(2, "0");
  return date.getFullYear() + "-" + two(date.getMonth() + 1) + "-" + two(date.getDate());
}
