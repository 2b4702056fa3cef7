// SPDX-License-Identifier: Apache-2.0
// The slices of the fleet in short, as GET /v1/fleet/map tells them.

import { get } from "./api.js";

/**
 * @typedef {object} Fleet
 * @property {string} revision
 * @property {MapSlice[]} items
 * @property {boolean} complete whether the answers name all slices
 */

/**
 * Reads the slices.
 * @param {Fleet | undefined} known the slices before, so that only changes are read
 * @param {AbortSignal} signal
 * @returns {Promise<Fleet>}
 */
export async function readFleet(known, signal) {
  return merged(known, await get("/v1/fleet/map", { revision: known?.revision }, signal));
}

/**
 * Returns the slices after an answer of GET /v1/fleet/map.
 * @param {Fleet | undefined} known the slices before; undefined: none
 * @param {any} answer
 * @returns {Fleet}
 */
export function merged(known, answer) {
  const { revision, changes, sliceCount, kinds, holders, slices, gone = [] } = answer;
  if (changes && known && slices.length === 0 && gone.length === 0) {
    return { ...known, revision };
  }
  /** @type {Map<string, MapSlice>} */
  const byName = new Map(changes && known ? known.items.map((slice) => [slice.name, slice]) : []);
  gone.forEach((/** @type {string} */ name) => byName.delete(name));
  for (const slice of slices) {
    byName.set(slice.name, {
      ...kinds[slice.kind],
      ...slice,
      condition: slice.condition ?? "READY",
      holders: (slice.holders ?? []).map((/** @type {number} */ index) => holders[index]),
    });
  }
  const items = [...byName.values()];
  return { revision, items, complete: items.length === sliceCount };
}
