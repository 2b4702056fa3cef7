// SPDX-License-Identifier: Apache-2.0
// Sums of quota: used, borrowed, lent; and the segments of the bars that show them.

import { number, quantity } from "../../shared/text.js";

/**
 * @typedef {object} Quota
 * @property {string} flavor
 * @property {string} resource
 * @property {number} nominal
 * @property {number} used
 * @property {number} borrowed the part of `used` that exceeds `nominal`
 * @property {number} [borrowingLimit]
 * @property {number} [lendingLimit]
 *
 * @typedef {object} Total sums over the queues and cohorts of one cohort tree
 * @property {number} nominal
 * @property {number} used
 * @property {number} borrowed
 * @property {{queue: string, borrowed: number}[]} borrowers the largest first
 */

/** Names a flavor and a resource. @param {{flavor: string, resource: string}} of */
export const keyOf = ({ flavor, resource }) => flavor + " " + resource;

/** Removes the rounding error of sums of `500m` and the like. @param {number} value */
const exact = (value) => Math.round(value * 1e6) / 1e6;

/**
 * Returns the quotas of a ClusterQueue or Cohort in the order of its resource groups. Without a
 * status, nothing is used.
 * @param {any} object
 * @returns {Quota[]}
 */
export function quotasOf(object) {
  /** @type {Map<string, number>} */
  const used = new Map();
  for (const flavor of object.status?.flavorsUsage ?? []) {
    for (const resource of flavor.resources ?? []) {
      used.set(keyOf({ flavor: flavor.name, resource: resource.name }), quantity(resource.total) || 0);
    }
  }
  /** @type {Quota[]} */
  const quotas = [];
  for (const group of object.spec?.resourceGroups ?? []) {
    for (const flavor of group.flavors ?? []) {
      for (const resource of flavor.resources ?? []) {
        const of = { flavor: flavor.name, resource: resource.name };
        const nominal = quantity(resource.nominalQuota) || 0;
        const total = used.get(keyOf(of)) ?? 0;
        quotas.push({
          ...of,
          nominal,
          used: total,
          borrowed: exact(Math.max(0, total - nominal)),
          borrowingLimit: limit(resource.borrowingLimit),
          lendingLimit: limit(resource.lendingLimit),
        });
      }
    }
  }
  return quotas;
}

/** @param {unknown} text @returns {number | undefined} */
function limit(text) {
  const value = quantity(/** @type {string} */ (text));
  return Number.isNaN(value) ? undefined : value;
}

/**
 * Returns the sums over a cohort tree by {@link keyOf}.
 * @param {any[]} queues all ClusterQueues of the tree
 * @param {any[]} cohorts all Cohorts of the tree; some have quota of their own
 * @returns {Map<string, Total>}
 */
export function totalsOf(queues, cohorts) {
  /** @type {Map<string, Total>} */
  const totals = new Map();
  for (const object of [...queues, ...cohorts]) {
    for (const quota of quotasOf(object)) {
      const key = keyOf(quota);
      const total = totals.get(key) ?? { nominal: 0, used: 0, borrowed: 0, borrowers: [] };
      totals.set(key, total);
      total.nominal = exact(total.nominal + quota.nominal);
      total.used = exact(total.used + quota.used);
      total.borrowed = exact(total.borrowed + quota.borrowed);
      if (quota.borrowed > 0) {
        total.borrowers.push({ queue: object.metadata.name, borrowed: quota.borrowed });
      }
    }
  }
  for (const { borrowers } of totals.values()) {
    borrowers.sort((one, other) => other.borrowed - one.borrowed);
  }
  return totals;
}

/**
 * Returns the bounds of the quota that a queue lends to others. Quota has no owner once it is
 * pooled, so the exact amount is unknown while several queues have unused quota. The lower bound
 * is what the queue can use only if others give it back.
 * @param {Quota} quota
 * @param {Total | undefined} total of its cohort tree
 * @returns {{least: number, most: number}}
 */
export function lentOf(quota, total) {
  const unused = Math.max(0, quota.nominal - quota.used);
  if (!total || unused === 0) {
    return { least: 0, most: 0 };
  }
  const most = Math.min(unused, quota.lendingLimit ?? Infinity, total.borrowed - quota.borrowed);
  const free = Math.max(0, total.nominal - total.used);
  return { least: exact(Math.min(most, Math.max(0, unused - free))), most: exact(Math.max(0, most)) };
}

/**
 * Returns the ClusterQueues that use more than their nominal quota of what a queue lends.
 * @param {Total | undefined} total
 * @param {string} queue
 */
export function borrowersFor(total, queue) {
  return (total?.borrowers ?? []).filter((one) => one.queue !== queue);
}

/**
 * @typedef {object} Segment
 * @property {"used" | "borrowed" | "promised" | "lent"} kind
 * @property {number} left in percent of the bar
 * @property {number} width
 */

/**
 * Returns the bar of a quota: its segments, and the place of the line of nominal quota. Planned
 * starts begin when other work has ended, so what they are promised is measured from the left, and
 * can exceed the bar, which it fills then.
 * @param {Quota} quota
 * @param {{lent?: number, promised?: number}} [more]
 * @returns {{nominal: number, segments: Segment[]}}
 */
export function barOf(quota, { lent = 0, promised = 0 } = {}) {
  const within = Math.min(quota.used, quota.nominal);
  const whole = Math.max(quota.nominal, quota.used) || 1;
  /** @type {[Segment["kind"], number, number][]} */
  const parts = [
    ["used", 0, within],
    ["borrowed", within, quota.used],
    ["lent", quota.nominal - lent, quota.nominal],
    ["promised", 0, Math.min(promised, whole)],
  ];
  return {
    nominal: (100 * quota.nominal) / whole,
    segments: parts
      .filter(([, from, to]) => to > from)
      .map(([kind, from, to]) => ({ kind, left: (100 * from) / whole, width: (100 * (to - from)) / whole })),
  };
}

/**
 * Returns the sums of the promised amounts of a plan by {@link keyOf}.
 * @param {any[]} entries of GET /v1/plan
 * @returns {Map<string, number>}
 */
export function promisedOf(entries) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { kind, amounts } of entries) {
    for (const amount of kind === "promised" ? amounts : []) {
      const key = keyOf(amount);
      sums.set(key, exact((sums.get(key) ?? 0) + (quantity(amount.amount) || 0)));
    }
  }
  return sums;
}

const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

/** @type {Record<string, [string, string]>} */
const UNITS = {
  "google.com/tpu": ["chip", "chips"],
  "nvidia.com/gpu": ["GPU", "GPUs"],
  "amd.com/gpu": ["GPU", "GPUs"],
  cpu: ["core", "cores"],
  pods: ["pod", "pods"],
};

/** @param {string} resource */
const isBytes = (resource) => resource === "memory" || resource.endsWith("storage") || resource.startsWith("hugepages-");

/**
 * Returns an amount of a resource without its unit, except that bytes have a suffix as in `16Gi`.
 * @param {string} resource
 * @param {number} value
 */
export function amountText(resource, value) {
  if (!isBytes(resource)) {
    return number(value);
  }
  let size = value;
  let power = 0;
  while (Math.abs(size) >= 1024 && power < BINARY.length - 1) {
    size /= 1024;
    power++;
  }
  return number(Math.round(size * 10) / 10) + BINARY[power];
}

/**
 * Returns the unit of a resource, as ` chips`; empty if the resource's name says it.
 * @param {string} resource
 * @param {number} value
 */
export function unitText(resource, value) {
  const unit = UNITS[resource];
  return unit ? " " + unit[value === 1 ? 0 : 1] : "";
}
