// SPDX-License-Identifier: Apache-2.0
// Requests of the usage page: allocations, slices, teams, and outcomes of attempts.

import { forEach, get, getAll, pathOf } from "../../shared/api.js";
import { readHistory, readSlices } from "../timeline/data.js";

const QUEUES_MAX = 5_000;
/** Requests for the outcomes of attempts. */
const HISTORIES_MAX = 200;

/**
 * @typedef {object} UsageData
 * @property {any[]} allocations
 * @property {boolean} complete
 * @property {Map<string, import("../timeline/bars.js").JobFacts>} facts
 * @property {Map<string, Slice>} slices by name
 * @property {Map<string, string>} teams by `namespace/queue`
 * @property {number} at when it was read
 */

/**
 * @param {import("./sums.js").Period} period
 * @param {number} now
 * @param {AbortSignal} signal
 * @returns {Promise<UsageData>}
 */
export async function readUsage(period, now, signal) {
  const [history, slices, queues] = await Promise.all([
    readHistory(period.from, period.to, signal),
    readSlices(signal),
    getAll("/v1/localqueues", {}, { max: QUEUES_MAX, signal }),
  ]);
  return {
    ...history,
    slices: new Map(slices.map((slice) => [slice.name, slice])),
    teams: new Map(
      queues.items.map(({ metadata }) => [
        metadata.namespace + "/" + metadata.name,
        metadata.labels?.["sluice.io/team"] ?? "",
      ]),
    ),
    at: now,
  };
}

/** The groups that usage is summed by, with their names. */
/** @type {Record<string, string>} */
export const GROUPS = {
  team: "team",
  namespace: "namespace",
  queue: "ClusterQueue",
  job: "job name",
  submitter: "submitter",
  type: "accelerator type",
};

const UNREADABLE = "not readable";
const UNKNOWN = "unknown";

/**
 * Returns the uses of a period, each with its group.
 * @param {UsageData} data
 * @param {string} by a name of GROUPS
 * @returns {import("./sums.js").Use[]}
 */
export function usesOf({ allocations, facts, slices, teams, at }, by) {
  return allocations.map((one) => {
    const slice = slices.get(one.slice);
    return {
      from: Date.parse(one.from),
      to: one.to === undefined ? at : Date.parse(one.to),
      chips: slice?.chips,
      type: slice?.type ?? "",
      group: groupOf(one, facts.get(one.job), slice, teams, by),
    };
  });
}

/**
 * @param {any} allocation
 * @param {import("../timeline/bars.js").JobFacts | undefined} facts
 * @param {Slice | undefined} slice
 * @param {Map<string, string>} teams
 * @param {string} by
 */
function groupOf(allocation, facts, slice, teams, by) {
  if (by === "type") {
    return slice?.type ?? "slices that are gone";
  }
  if (allocation.job === undefined) {
    return UNREADABLE;
  }
  if (by === "job") {
    return (facts?.namespace ? facts.namespace + "/" : "") + allocation.name;
  }
  if (!facts?.namespace) {
    return UNKNOWN;
  }
  switch (by) {
    case "namespace":
      return facts.namespace;
    case "queue":
      return facts.clusterQueue || UNKNOWN;
    case "submitter":
      return facts.submitter || UNKNOWN;
    default:
      return teams.get(facts.namespace + "/" + facts.queue) || "namespace " + facts.namespace;
  }
}

/**
 * Reads which allocations of a period ended by preemption or for other reasons that lose work, from
 * the histories of the slices.
 * @param {string[]} slices
 * @param {import("./sums.js").Period} period
 * @returns {Promise<{uses: {slice: string, from: number, to: number, outcome: string}[], complete: boolean}>}
 */
export async function readOutcomes(slices, period) {
  /** @type {{slice: string, from: number, to: number, outcome: string}[]} */
  const uses = [];
  let requests = 0;
  let complete = true;
  const failures = await forEach(slices, async (slice) => {
    let cursor;
    do {
      if (requests++ >= HISTORIES_MAX) {
        complete = false;
        return;
      }
      const page = /** @type {any} */ (
        await get(pathOf`/v1/slices/${slice}/history`, { limit: 500, cursor })
      );
      for (const { kind, at, to, outcome } of page.items) {
        if (kind === "Held" && to !== undefined && outcome !== undefined) {
          uses.push({ slice, from: Date.parse(at), to: Date.parse(to), outcome });
        }
      }
      const oldest = page.items[page.items.length - 1];
      cursor = oldest && Date.parse(oldest.at) > period.from ? page.nextCursor : undefined;
    } while (cursor);
  });
  return { uses, complete: complete && failures.length === 0 };
}
