// SPDX-License-Identifier: Apache-2.0
// Requests of the timeline and of usage: allocations, ended attempts, slices, the plan, and runs to come.

import { getAll } from "../../shared/api.js";
import { readFleet } from "../../shared/fleet-map.js";
import { HOUR } from "./scale.js";

export const ALLOCATIONS_MAX = 20_000;
export const ENDED_MAX = 10_000;
const PLAN_MAX = 5_000;
const RUNS_MAX = 1_000;
/** The longest period that upcoming runs are computed for. */
const WITHIN_MAX = 168 * HOUR;

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
 * Reads the attempts without slices that have ended, and that used quota at any time in a period.
 * @param {number} from
 * @param {number} to
 * @param {AbortSignal} signal
 * @returns {Promise<{items: EndedAttempt[], complete: boolean}>}
 */
export function readEnded(from, to, signal) {
  return getAll(
    "/v1/attempts",
    { since: new Date(from).toISOString(), until: new Date(to).toISOString(), withoutSlices: true },
    { max: ENDED_MAX, signal },
  );
}

/**
 * @typedef {object} Plan
 * @property {any[]} plan
 * @property {boolean} complete
 * @property {MapSlice[]} slices
 */

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Plan>}
 */
export async function readPlan(signal) {
  const [plan, fleet] = await Promise.all([
    getAll("/v1/plan", {}, { max: PLAN_MAX, signal }),
    readFleet(undefined, signal),
  ]);
  return { plan: plan.items, complete: plan.complete, slices: fleet.items };
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
