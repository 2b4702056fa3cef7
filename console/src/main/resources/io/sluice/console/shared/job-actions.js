// SPDX-License-Identifier: Apache-2.0
// What a user may do with a job: cancel, hold, release, another priority, submit again.

import { get, pathOf, post } from "./api.js";

const ENDED = new Set(["SUCCEEDED", "FAILED", "CANCELLED"]);

/** @param {Job} job */
export function hasEnded(job) {
  return ENDED.has(job.status.state);
}

/** @param {string} id @param {"cancel" | "hold" | "release"} verb */
export function requestOf(id, verb) {
  return post(pathOf`/v1/jobs/${id}/${verb}`);
}

/** @param {string} id @param {string} priorityClass */
export function prioritize(id, priorityClass) {
  return post(pathOf`/v1/jobs/${id}/prioritize`, { query: { class: priorityClass } });
}

/** Returns the names of priority classes, the highest first. @returns {Promise<string[]>} */
export async function priorityClasses() {
  const { items } = await get("/v1/workloadpriorityclasses", { limit: 500 });
  return items
    .sort((/** @type {any} */ one, /** @type {any} */ other) => other.value - one.value)
    .map((/** @type {any} */ one) => one.metadata.name);
}

/**
 * Returns the manifest of a job, as it can be submitted again.
 * @param {Job} job
 */
export function manifestOf(job) {
  const { id: _id, status: _status, ...manifest } = /** @type {any} */ (job);
  return manifest;
}
