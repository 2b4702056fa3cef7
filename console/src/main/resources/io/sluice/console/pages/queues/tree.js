// SPDX-License-Identifier: Apache-2.0
// The tree of Cohorts, ClusterQueues and LocalQueues.

import { totalsOf } from "./usage.js";

/**
 * @typedef {object} CohortNode
 * @property {string} name empty: no cohort, of the ClusterQueues without one
 * @property {any} [object] absent: only named by others, which is allowed
 * @property {CohortNode[]} cohorts
 * @property {QueueNode[]} queues
 * @property {number} pending jobs that wait in it, cohorts below included
 * @property {number} admitted
 * @property {string} [cycle] name of the parent that is also a descendant, and is ignored
 *
 * @typedef {object} QueueNode
 * @property {string} name
 * @property {any} object
 * @property {any[]} localQueues
 * @property {Map<string, import("./usage.js").Total>} totals of its cohort tree
 */

/** @param {{name: string}} one @param {{name: string}} other */
const byName = (one, other) => one.name.localeCompare(other.name, "en", { numeric: true });

/**
 * Returns the roots of the tree. A cohort that is its own ancestor becomes a root. O(n log n).
 * @param {any[]} cohorts
 * @param {any[]} clusterQueues
 * @param {any[]} localQueues
 * @returns {CohortNode[]}
 */
export function treeOf(cohorts, clusterQueues, localQueues) {
  /** @type {Map<string, CohortNode>} */
  const nodes = new Map();
  /** @param {string} name */
  const nodeOf = (name) => {
    let node = nodes.get(name);
    if (!node) {
      node = { name, cohorts: [], queues: [], pending: 0, admitted: 0 };
      nodes.set(name, node);
    }
    return node;
  };
  /** @type {Map<string, string>} */
  const parents = new Map();
  for (const object of cohorts) {
    const { name } = object.metadata;
    nodeOf(name).object = object;
    const parent = object.spec?.parentName;
    if (parent) {
      nodeOf(parent);
      parents.set(name, parent);
    }
  }
  for (const name of [...parents.keys()].sort()) {
    const parent = /** @type {string} */ (parents.get(name));
    if (isAncestor(parents, name, parent)) {
      nodeOf(name).cycle = parent;
      parents.delete(name);
    } else {
      nodeOf(parent).cohorts.push(nodeOf(name));
    }
  }
  /** @type {Map<string, any[]>} */
  const locals = new Map();
  for (const object of localQueues) {
    const queue = object.spec?.clusterQueue;
    locals.set(queue, [...(locals.get(queue) ?? []), object]);
  }
  for (const object of clusterQueues) {
    const { name } = object.metadata;
    nodeOf(object.spec?.cohortName ?? "").queues.push({
      name,
      object,
      localQueues: locals.get(name) ?? [],
      totals: new Map(),
    });
  }
  const roots = [...nodes.values()].filter(({ name }) => !parents.has(name));
  roots.forEach(complete);
  // ClusterQueues without a cohort come last.
  return roots.sort((one, other) => Number(!one.name) - Number(!other.name) || byName(one, other));
}

/**
 * Says whether a cohort is among the ancestors of another one, or is that one.
 * @param {Map<string, string>} parents
 * @param {string} name
 * @param {string} of
 */
function isAncestor(parents, name, of) {
  const seen = new Set();
  /** @type {string | undefined} */
  let at = of;
  while (at !== undefined && !seen.has(at)) {
    if (at === name) {
      return true;
    }
    seen.add(at);
    at = parents.get(at);
  }
  return false;
}

/** Sorts and sums up a root and all below it. @param {CohortNode} root */
function complete(root) {
  const queues = queuesBelow(root);
  const totals =
    root.name === "" ? new Map() : totalsOf(queues.map(({ object }) => object), objectsBelow(root));
  queues.forEach((queue) => (queue.totals = totals));
  sumUp(root);
}

/** @param {CohortNode} node */
function sumUp(node) {
  node.cohorts.sort(byName).forEach(sumUp);
  node.queues.sort(byName);
  const statuses = node.queues.map(({ object }) => object.status ?? {});
  for (const part of [...node.cohorts, ...statuses.map(countsOf)]) {
    node.pending += part.pending;
    node.admitted += part.admitted;
  }
}

/** @param {any} status */
const countsOf = (status) => ({
  pending: status.pendingWorkloads ?? 0,
  admitted: status.admittedWorkloads ?? 0,
});

/** @param {CohortNode} node @returns {QueueNode[]} */
export function queuesBelow(node) {
  return [...node.queues, ...node.cohorts.flatMap(queuesBelow)];
}

/** @param {CohortNode} node @returns {any[]} */
function objectsBelow(node) {
  return [...(node.object ? [node.object] : []), ...node.cohorts.flatMap(objectsBelow)];
}

/**
 * Returns the node of a ClusterQueue; undefined if there is none.
 * @param {CohortNode[]} roots
 * @param {string} name
 */
export function findQueue(roots, name) {
  return roots.flatMap(queuesBelow).find((queue) => queue.name === name);
}
