// SPDX-License-Identifier: Apache-2.0
// Requests of the timeline and of usage: allocations, and the queues of their jobs.

import { get, getAll } from "../../shared/api.js";
import { signedInAs } from "../../shared/session.js";
import { DAY, HOUR } from "./scale.js";

export const ALLOCATIONS_MAX = 20_000;
const PLAN_MAX = 5_000;
const SLICES_MAX = 10_000;
const RUNS_MAX = 1_000;
/** Jobs that are looked through for the queues of allocations. */
const JOBS_MAX = 10_000;
/** Jobs that are remembered, beyond which only those in view are. */
const KNOWN_MAX = 50_000;
/** The longest period that upcoming runs are computed for. */
const WITHIN_MAX = 168 * HOUR;

/**
 * The server lists allocations by start, so one that began earlier than a period and reaches into it
 * is found only if the list begins earlier too.
 */
export const LOOK_BACK = DAY;

/** @typedef {import("./bars.js").JobFacts} JobFacts */

/** @type {Map<string, JobFacts | undefined>} undefined: looked for in vain */
let known = new Map();
let knownFor = "";

const NO_FACTS = { namespace: "", queue: "", clusterQueue: "", submitter: "" };

/**
 * Returns the queues of jobs, newest jobs first, as far as they are found.
 * @param {Set<string>} ids
 * @param {AbortSignal} signal
 * @returns {Promise<Map<string, JobFacts>>}
 */
async function factsOf(ids, signal) {
  if (knownFor !== signedInAs.value) {
    known = new Map();
    knownFor = signedInAs.value;
  }
  const facts = known;
  const missing = new Set([...ids].filter((id) => !facts.has(id)));
  let cursor;
  let read = 0;
  while (missing.size > 0 && read < JOBS_MAX) {
    const page = await get(
      "/v1/jobs",
      {
        limit: 500,
        cursor,
        fields:
          "items.id,items.metadata.namespace,items.spec.queue,items.status.clusterQueue,items.status.submittedBy,nextCursor",
      },
      signal,
    );
    for (const { id, metadata, spec, status } of page.items) {
      facts.set(id, {
        namespace: metadata?.namespace ?? "",
        queue: spec?.queue ?? "",
        clusterQueue: status?.clusterQueue ?? "",
        submitter: status?.submittedBy ?? "",
      });
      missing.delete(id);
    }
    read += page.items.length;
    cursor = page.nextCursor;
    if (!cursor) {
      break;
    }
  }
  missing.forEach((id) => facts.set(id, undefined));
  if (facts.size > KNOWN_MAX) {
    known = new Map([...ids].map((id) => [id, facts.get(id)]));
  }
  return new Map([...ids].map((id) => [id, facts.get(id) ?? NO_FACTS]));
}

/**
 * @typedef {object} History
 * @property {any[]} allocations
 * @property {boolean} complete
 * @property {Map<string, JobFacts>} facts by job
 */

/**
 * Reads the allocations of a period, and of the day before it.
 * @param {number} from
 * @param {number} to
 * @param {AbortSignal} signal
 * @returns {Promise<History>}
 */
export async function readHistory(from, to, signal) {
  const { items, complete } = await getAll(
    "/v1/fleet/allocations",
    { since: new Date(from - LOOK_BACK).toISOString(), until: new Date(to).toISOString() },
    { max: ALLOCATIONS_MAX, signal },
  );
  const allocations = items.filter((one) => one.to === undefined || Date.parse(one.to) > from);
  const ids = new Set(allocations.map(({ job }) => job).filter((job) => job !== undefined));
  return { allocations, complete, facts: await factsOf(ids, signal) };
}

/**
 * Reads the allocations of slices that were held at any time in a period.
 * @param {number} from
 * @param {number} to
 * @param {AbortSignal} signal
 * @returns {Promise<{items: Allocation[], complete: boolean}>}
 */
export function readAllocations(from, to, signal) {
  return getAll(
    "/v1/fleet/allocations",
    { since: new Date(from).toISOString(), until: new Date(to).toISOString(), overlapping: true },
    { max: ALLOCATIONS_MAX, signal },
  );
}

/**
 * @typedef {object} Plan
 * @property {any[]} plan
 * @property {boolean} complete
 * @property {Slice[]} slices
 */

/** @param {AbortSignal} signal @returns {Promise<Slice[]>} */
export async function readSlices(signal) {
  return (await getAll("/v1/slices", {}, { max: SLICES_MAX, signal })).items;
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Plan>}
 */
export async function readPlan(signal) {
  const [plan, slices] = await Promise.all([
    getAll("/v1/plan", {}, { max: PLAN_MAX, signal }),
    readSlices(signal),
  ]);
  return { plan: plan.items, complete: plan.complete, slices };
}

/**
 * Reads the runs that are to start in a period from now.
 * @param {number} period in milliseconds
 * @param {AbortSignal} signal
 * @returns {Promise<{items: any[], complete: boolean}>}
 */
export async function readRuns(period, signal) {
  if (period <= 0) {
    return { items: [], complete: true };
  }
  const minutes = Math.ceil(Math.min(period, WITHIN_MAX) / 60_000);
  const runs = await getAll(
    "/v1/schedules/upcoming",
    { within: minutes + "m" },
    { max: RUNS_MAX, signal },
  );
  return { items: runs.items, complete: runs.complete && period <= WITHIN_MAX };
}
