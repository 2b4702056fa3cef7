// SPDX-License-Identifier: Apache-2.0
// What is wrong with the fleet and the queues, in sentences.

import { counted, distance } from "../../shared/text.js";

/** Findings of one kind that are listed one by one at most. */
const EACH_MAX = 5;

/**
 * Returns what is wrong, the worst first; empty if nothing is.
 * @param {any} fleet answer of GET /v1/fleet
 * @param {any[]} queues ClusterQueues
 * @returns {{bad: boolean, text: string}[]}
 */
export function findings(fleet, queues) {
  /** @type {{bad: boolean, text: string}[]} */
  const found = [];
  const { absent, leaving } = fleet.sliceCount;
  const clusters = fleet.clusters ?? [];
  for (const { name, unreachableSince } of clusters) {
    if (unreachableSince) {
      found.push({ bad: true, text: `Cluster ${name} was last reached ${distance(unreachableSince)}.` });
    }
  }
  if (fleet.hostsFailed > 0) {
    found.push({ bad: true, text: counted(fleet.hostsFailed, "host") + " failed and did not return." });
  }
  if (absent > 0) {
    // Slices of a provider are absent until it grants them, which need not be a fault.
    found.push({ bad: false, text: counted(absent, "slice") + (absent === 1 ? " is" : " are") + " absent." });
  }
  if (leaving > 0) {
    found.push({ bad: false, text: counted(leaving, "slice") + (leaving === 1 ? " is" : " are") + " leaving." });
  }
  for (const { name, incomplete, refused } of [...clusters, { name: "", refused: fleet.refused }]) {
    const where = name && ` of cluster ${name}`;
    found.push(
      ...each(incomplete, (pool, reason) => `Node pool ${pool}${where} misses nodes: ${reason}`),
      ...each(refused, (pool, reason) => `${pool}${where} is not part of the fleet: ${reason}`),
    );
  }
  const stopped = queues.filter(({ spec }) => (spec?.stopPolicy ?? "None") !== "None");
  if (stopped.length > 0) {
    const names = stopped.slice(0, EACH_MAX).map(({ metadata }) => metadata.name);
    found.push({
      bad: false,
      text: `${counted(stopped.length, "ClusterQueue")} stopped: ${names.join(", ")}${stopped.length > EACH_MAX ? " and more" : ""}.`,
    });
  }
  return found;
}

/**
 * @param {Record<string, string> | undefined} reasons
 * @param {(name: string, reason: string) => string} sentence
 */
function each(reasons, sentence) {
  const all = Object.entries(reasons ?? {});
  const found = all
    .slice(0, EACH_MAX)
    .map(([name, reason]) => ({ bad: false, text: sentence(name, reason) }));
  return all.length > EACH_MAX
    ? [...found, { bad: false, text: `${all.length - EACH_MAX} more of the same kind.` }]
    : found;
}
