// SPDX-License-Identifier: Apache-2.0
// Requests of the usage page: allocations, slices, and since when slices are out of service or kept.

import { forEach, get, pathOf } from "../../shared/api.js";
import { readFleet } from "../../shared/fleet-map.js";
import { readAllocations } from "../timeline/data.js";

/** Slices whose history is read for the start of their present standing. */
const STANDINGS_MAX = 50;
const HISTORY_MAX = 50;

/**
 * @typedef {object} UsageData
 * @property {Allocation[]} allocations
 * @property {boolean} complete
 * @property {MapSlice[]} slices
 * @property {Map<string, import("./sums.js").Standing>} standings by slice
 * @property {number} unknown slices out of service or kept, of which it is unknown since when
 * @property {number} at when it was read
 */

/**
 * @param {import("./sums.js").Period} period
 * @param {number} now
 * @param {AbortSignal} signal
 * @returns {Promise<UsageData>}
 */
export async function readUsage(period, now, signal) {
  const [{ items, complete }, { items: slices }] = await Promise.all([
    readAllocations(period.from, period.to, signal),
    readFleet(undefined, signal),
  ]);
  return { allocations: items, complete, slices, ...(await readStandings(slices, signal)), at: now };
}

/**
 * Reads since when slices are out of service or kept. Only slices that now are get a request.
 * @param {MapSlice[]} slices
 * @param {AbortSignal} signal
 */
async function readStandings(slices, signal) {
  /** @type {Map<string, import("./sums.js").Standing>} */
  const standings = new Map();
  const asked = slices.filter((slice) => causeOf(slice) !== undefined);
  await forEach(asked.slice(0, STANDINGS_MAX), async (slice) => {
    const page = await get(pathOf`/v1/slices/${slice.name}/history`, { limit: HISTORY_MAX }, signal);
    const standing = standingOf(slice, page.items);
    if (standing) {
      standings.set(slice.name, standing);
    }
  });
  return { standings, unknown: asked.length - standings.size };
}

/** @param {MapSlice} slice */
function causeOf({ condition, kept }) {
  return condition !== "READY" ? "out" : kept ? "kept" : undefined;
}

/** Events that begin a standing, and events before which another one began. */
const BEGINS = {
  out: ["SliceLost", "SliceLeaving", "SlicesReleased"],
  kept: ["SlicesGranted", "SlicesPassedOn"],
};
const ENDS = {
  out: ["SliceReturned", "SlicesGranted", "SlicesPassedOn"],
  kept: ["SliceReturned", "SliceLost", "SliceLeaving", "SlicesReleased"],
};

/**
 * Returns since when a slice is out of service or kept; undefined if its history does not tell.
 * @param {MapSlice} slice
 * @param {{kind: string, at: string}[]} history the newest entry first
 * @returns {import("./sums.js").Standing | undefined}
 */
export function standingOf(slice, history) {
  const cause = causeOf(slice);
  if (cause === undefined) {
    return undefined;
  }
  const end = history.findIndex(({ kind }) => ENDS[cause].includes(kind));
  const present = end < 0 ? history : history.slice(0, end);
  const first = present.filter(({ kind }) => BEGINS[cause].includes(kind)).pop();
  return first && { cause, since: Date.parse(first.at) };
}

/** The groups that usage is summed by, with their names. */
/** @type {Record<string, string>} */
export const GROUPS = {
  team: "team",
  namespace: "namespace",
  submitter: "user",
  queue: "ClusterQueue",
  localqueue: "LocalQueue",
  class: "priority class",
  job: "job name",
  type: "accelerator type",
};

const UNREADABLE = "not readable";

/**
 * Returns the uses of a period, each with its group.
 * @param {{allocations: Allocation[], at: number}} data
 * @param {string} by a name of GROUPS, or outcome
 * @returns {import("./sums.js").Use[]}
 */
export function usesOf({ allocations, at }, by) {
  return allocations.map((one) => ({
    slice: one.slice,
    from: Date.parse(one.from),
    to: one.to === undefined ? at : Date.parse(one.to),
    chips: one.chips,
    type: one.type ?? "",
    preempted: one.outcome === "PREEMPTED",
    group: groupOf(one, by),
  }));
}

/**
 * @param {Allocation} allocation
 * @param {string} by
 */
function groupOf(allocation, by) {
  switch (by) {
    case "type":
      return allocation.type ?? "slices that are gone";
    case "queue":
      return allocation.clusterQueue;
    case "outcome":
      return allocation.outcome ?? "NOT_ENDED";
  }
  const { namespace } = allocation;
  if (namespace === undefined) {
    return UNREADABLE;
  }
  switch (by) {
    case "namespace":
      return namespace;
    case "job":
      return namespace + "/" + allocation.name;
    case "localqueue":
      return namespace + "/" + allocation.queue;
    case "submitter":
      return allocation.submittedBy ?? "unknown";
    case "class":
      return allocation.priorityClass ?? "none";
    default:
      return allocation.team ?? "unknown";
  }
}
