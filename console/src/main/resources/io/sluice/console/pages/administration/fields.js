// SPDX-License-Identifier: Apache-2.0
// The fields of a ClusterQueue or Cohort that the form of quota edits.

/** @typedef {(string | number)[]} Path */
/** @typedef {{label: string, path: Path, choices?: string[], hint?: string}} Field */

const WEIGHT = { label: "Weight in the fair share", path: ["spec", "fairSharing", "weight"], hint: "1" };

/** @type {Record<string, Field[]>} */
export const FIELDS = {
  ClusterQueue: [
    { label: "Cohort", path: ["spec", "cohortName"] },
    { label: "Queueing strategy", path: ["spec", "queueingStrategy"], choices: ["BestEffortFIFO", "StrictFIFO"] },
    { label: "Stop policy", path: ["spec", "stopPolicy"], choices: ["None", "Hold", "HoldAndDrain"] },
    { label: "Preempts within the queue", path: ["spec", "preemption", "withinClusterQueue"], choices: ["Never", "LowerPriority", "LowerOrNewerEqualPriority"] },
    { label: "Reclaims within the cohort", path: ["spec", "preemption", "reclaimWithinCohort"], choices: ["Never", "LowerPriority", "Any"] },
    { label: "Preempts to borrow", path: ["spec", "preemption", "borrowWithinCohort", "policy"], choices: ["Never", "LowerPriority"] },
    WEIGHT,
  ],
  Cohort: [{ label: "Parent", path: ["spec", "parentName"] }, WEIGHT],
};

/** Only a new object gets a name. @type {Field} */
export const NAME = { label: "Name", path: ["metadata", "name"] };

/** The numbers of each flavor and resource. @type {[string, string][]} */
export const QUOTAS = [
  ["nominalQuota", "Nominal"],
  ["borrowingLimit", "Borrowing limit"],
  ["lendingLimit", "Lending limit"],
];

/**
 * Returns the value at a path; undefined if there is none.
 * @param {any} object
 * @param {Path} path
 */
export function valueAt(object, path) {
  return path.reduce((/** @type {any} */ value, part) => value?.[part], object);
}

/**
 * Returns a path as the server names it: `spec.resourceGroups[0].flavors`.
 * @param {Path} path
 */
export function pathText(path) {
  return path
    .map((part, i) => (typeof part === "number" ? "[" + part + "]" : (i === 0 ? "" : ".") + part))
    .join("");
}

/**
 * Returns a copy of an object with another value at a path. An empty value removes the field, and
 * the objects that are empty then.
 * @param {any} object
 * @param {Path} path
 * @param {string} value
 * @returns {any} undefined if nothing is left
 */
export function withValue(object, [part, ...rest], value) {
  const copy = Array.isArray(object) ? [...object] : { ...object };
  const next = rest.length === 0 ? (value === "" ? undefined : value) : withValue(copy[part], rest, value);
  if (next === undefined && !Array.isArray(copy)) {
    delete copy[part];
    return Object.keys(copy).length === 0 ? undefined : copy;
  }
  copy[/** @type {any} */ (part)] = next;
  return copy;
}

/**
 * Returns the flavors and resources of a manifest, with the paths of their quotas.
 * @param {any} manifest
 * @returns {{flavor: string, resource: string, path: Path, flavorPath: Path}[]} the paths of a
 *     quota and of the name of its flavor
 */
export function quotaRows(manifest) {
  const rows = [];
  for (const [g, group] of list(manifest.spec?.resourceGroups).entries()) {
    for (const [f, flavor] of list(group?.flavors).entries()) {
      for (const [r, resource] of list(flavor?.resources).entries()) {
        rows.push({
          flavor: String(flavor.name ?? ""),
          resource: String(resource?.name ?? ""),
          path: ["spec", "resourceGroups", g, "flavors", f, "resources", r],
          flavorPath: ["spec", "resourceGroups", g, "flavors", f, "name"],
        });
      }
    }
  }
  return rows;
}

/** @param {unknown} value @returns {any[]} */
function list(value) {
  return Array.isArray(value) ? value : [];
}

/**
 * Returns the manifest of a text of JSON; undefined if the text is something else, such as YAML.
 * @param {string} text
 * @returns {any}
 */
export function manifestIn(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
