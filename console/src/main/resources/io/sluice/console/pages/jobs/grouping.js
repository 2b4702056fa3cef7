// SPDX-License-Identifier: Apache-2.0
// By what jobs are grouped, as the address of the page says, and what the server is asked for it.

/** What a job may be grouped by; `label` needs the key of a label. */
export const GROUPS = [
  "state",
  "blocker",
  "queue",
  "clusterQueue",
  "namespace",
  "team",
  "priorityClass",
  "computeClass",
  "label",
];

/** @type {Record<string, string>} */
export const GROUP_NAMES = {
  clusterQueue: "ClusterQueue",
  priorityClass: "priority class",
  computeClass: "compute class",
};

const LABEL = "label:";

/**
 * @typedef {object} Grouping
 * @property {string} field one of GROUPS; the field of a group that has its value
 * @property {string} key of the label; empty if it is not chosen yet, and for other fields
 * @property {string} by what the server is asked for; empty: nothing to ask
 */

/**
 * Returns the grouping of an address.
 * @param {string} by the parameter of the address: a field, or `label:KEY`
 * @returns {Grouping | undefined} undefined: jobs are not grouped
 */
export function groupingOf(by) {
  if (by.startsWith(LABEL)) {
    const key = by.slice(LABEL.length);
    return { field: "label", key, by: key && by };
  }
  return by !== "label" && GROUPS.includes(by) ? { field: by, key: "", by } : undefined;
}

/**
 * Returns the parameter of the address.
 * @param {string} field empty: nothing
 * @param {string} [key] of a label
 */
export function byOf(field, key = "") {
  return field === "label" ? LABEL + key : field;
}

/**
 * Returns the query of the numbers of jobs. The server does not filter numbers by blocker, so they
 * are asked for by blocker and then chosen by {@link chosenOf}.
 * @param {Record<string, string | string[]>} filters
 * @param {string} by
 * @returns {Record<string, string | string[]>}
 */
export function countsQuery(filters, by) {
  const { blocker, ...others } = filters;
  return { ...others, by: blocker && by !== "blocker" ? by + ",blocker" : by };
}

/**
 * Returns the groups that meet the filter of blockers.
 * @param {any[]} groups
 * @param {string} blocker empty: all
 * @returns {any[]}
 */
export function chosenOf(groups, blocker) {
  return blocker ? groups.filter((group) => group.blocker === blocker.toUpperCase()) : groups;
}

/**
 * Returns the address that has only the jobs of a group, which are no longer grouped.
 * @param {string} search the query of the present address
 * @param {Grouping} grouping
 * @param {string} value
 */
export function groupLink(search, { field, key }, value) {
  const query = new URLSearchParams(search);
  query.delete("by");
  if (field === "queue") {
    const [namespace, queue] = value.split("/");
    query.set("namespace", namespace);
    query.set("queue", queue);
  } else if (field === "label") {
    const pairs = (query.get("label") ?? "").split(",").filter((pair) => pair && !pair.startsWith(key + "="));
    query.set("label", [...pairs, key + "=" + value].join());
  } else {
    query.set(field, value);
  }
  return "/jobs?" + query;
}
