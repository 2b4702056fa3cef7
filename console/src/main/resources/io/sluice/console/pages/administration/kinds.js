// SPDX-License-Identifier: Apache-2.0
// The kinds of objects that administrators edit.

/**
 * @typedef {object} Kind
 * @property {string} kind
 * @property {string} plural its path
 * @property {string} name in headings
 * @property {boolean} [namespaced]
 * @property {Record<string, unknown>} skeleton of a new object
 */

const KUEUE = "kueue.x-k8s.io/v1beta2";
const SLUICE = "sluice.io/v1";
const QUOTA = [{ flavor: "", amounts: { "google.com/tpu": 0 } }];

/** @type {Record<string, Kind>} */
export const KINDS = {
  clusterqueues: {
    kind: "ClusterQueue",
    plural: "clusterqueues",
    name: "ClusterQueues",
    skeleton: {
      apiVersion: KUEUE,
      spec: {
        namespaceSelector: {},
        resourceGroups: [
          {
            coveredResources: ["google.com/tpu"],
            flavors: [{ name: "", resources: [{ name: "google.com/tpu", nominalQuota: "0" }] }],
          },
        ],
      },
    },
  },
  cohorts: {
    kind: "Cohort",
    plural: "cohorts",
    name: "Cohorts",
    skeleton: { apiVersion: KUEUE },
  },
  localqueues: {
    kind: "LocalQueue",
    plural: "localqueues",
    name: "LocalQueues",
    namespaced: true,
    skeleton: { apiVersion: KUEUE, spec: { clusterQueue: "" } },
  },
  workloadpriorityclasses: {
    kind: "WorkloadPriorityClass",
    plural: "workloadpriorityclasses",
    name: "Priority classes",
    skeleton: { apiVersion: KUEUE, value: 0 },
  },
  computeclasses: {
    kind: "ComputeClass",
    plural: "computeclasses",
    name: "Compute classes",
    skeleton: { apiVersion: "cloud.google.com/v1", spec: { priorities: [] } },
  },
  resourceflavors: {
    kind: "ResourceFlavor",
    plural: "resourceflavors",
    name: "Flavors",
    skeleton: { apiVersion: KUEUE, spec: { nodeLabels: {} } },
  },
  topologies: {
    kind: "Topology",
    plural: "topologies",
    name: "Topologies",
    skeleton: { apiVersion: KUEUE, spec: { levels: [{ nodeLabel: "kubernetes.io/hostname" }] } },
  },
  bookings: {
    kind: "Booking",
    plural: "bookings",
    name: "Bookings",
    skeleton: { apiVersion: SLUICE, spec: { clusterQueue: "", from: "", until: "", quota: QUOTA } },
  },
  outages: {
    kind: "Outage",
    plural: "outages",
    name: "Outages",
    skeleton: { apiVersion: SLUICE, spec: { from: "", until: "", quota: QUOTA } },
  },
};

/** The kinds of each view. */
export const QUOTA_KINDS = ["clusterqueues", "cohorts"];
export const CLASS_KINDS = Object.keys(KINDS).filter((plural) => !QUOTA_KINDS.includes(plural));

/**
 * Returns the path of an object below that of its kind: `NAME`, or `NAMESPACE/NAME`.
 * @param {{metadata: {name: string, namespace?: string}}} object
 * @param {Kind} kind
 */
export function keyOf({ metadata }, kind) {
  return kind.namespaced ? metadata.namespace + "/" + metadata.name : metadata.name;
}

/**
 * Returns the path of a key in the REST interface.
 * @param {Kind} kind
 * @param {string} key
 */
export function objectPath(kind, key) {
  return "/v1/" + kind.plural + "/" + key.split("/").map(encodeURIComponent).join("/");
}

/**
 * Returns the manifest of a new object.
 * @param {Kind} kind
 */
export function skeletonOf(kind) {
  const { apiVersion, ...rest } = kind.skeleton;
  const metadata = kind.namespaced ? { name: "", namespace: "" } : { name: "" };
  return { apiVersion, kind: kind.kind, metadata, ...rest };
}

/**
 * Returns a manifest without what the server adds to it.
 * @param {any} object
 */
export function manifestOf(object) {
  const { status: _status, metadata, ...rest } = object;
  const { generation: _generation, creationTimestamp: _created, ...own } = metadata;
  const { apiVersion, kind, ...content } = rest;
  return { apiVersion, kind, metadata: own, ...content };
}

/**
 * Returns what the list shows of an object, beside its name.
 * @param {any} object
 * @returns {string}
 */
export function summaryOf({ kind, spec = {}, value, status }) {
  const waiting = status?.pendingWorkloads === undefined ? "" : status.pendingWorkloads + " waiting, " + status.admittedWorkloads + " admitted";
  /** @type {Record<string, () => string[]>} */
  const texts = {
    ClusterQueue: () => [spec.cohortName && "in " + spec.cohortName, spec.stopPolicy !== "None" && spec.stopPolicy, waiting],
    Cohort: () => [spec.parentName ? "in " + spec.parentName : "a root"],
    LocalQueue: () => ["to " + spec.clusterQueue, waiting],
    WorkloadPriorityClass: () => ["value " + value],
    ComputeClass: () => [(spec.priorities ?? []).length + " priorities"],
    ResourceFlavor: () => Object.entries(spec.nodeLabels ?? {}).map(([name, label]) => name + "=" + label),
    Topology: () => (spec.levels ?? []).map((/** @type {any} */ level) => level.nodeLabel),
    Booking: () => [spec.clusterQueue, spec.from + " to " + spec.until],
    Outage: () => [spec.from + " to " + spec.until],
  };
  return (texts[kind]?.() ?? []).filter(Boolean).join(", ");
}
