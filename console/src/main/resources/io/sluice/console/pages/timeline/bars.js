// SPDX-License-Identifier: Apache-2.0
// Entries of the timeline, made of allocations, ended attempts, the plan and runs to come, and
// their rows.

/**
 * @typedef {"past" | "running" | "draining" | "firm" | "promised" | "expected" | "booked" | "outage" | "run"} Kind
 *
 * @typedef {object} Entry
 * @property {Kind} kind
 * @property {number} from
 * @property {number} to
 * @property {string} row
 * @property {string} [job]
 * @property {string} [name]
 * @property {string} [namespace]
 * @property {number} [index]
 * @property {number} [attempt]
 * @property {string} [state]
 * @property {string} [outcome] of the attempt of a past allocation
 * @property {string} [queue]
 * @property {string} [clusterQueue]
 * @property {number} [priority]
 * @property {number} [start] of an estimate its median, which `from` may precede
 * @property {number} [earliest]
 * @property {number} [latest]
 * @property {number} [confidence]
 * @property {string[]} slices
 * @property {{flavor: string, resource: string, amount: string}[]} amounts
 *
 * @typedef {import("./layout.js").EntryBar} EntryBar
 */

/** The kinds with their names, in the order of the legend. */
/** @type {Record<Kind, string>} */
export const KINDS = {
  past: "past",
  running: "running; hatched until its latest end",
  draining: "draining",
  firm: "promised, firm",
  promised: "promised, not firm",
  expected: "expected: range and median",
  booked: "booked",
  outage: "outage",
  run: "run to come",
};

export const RUNS = "runs";
const GONE = "gone";

/** @param {string} slice */
const sliceRow = (slice) => "slice " + slice;
/** @param {string} flavor @param {string} queue */
const quotaRow = (flavor, queue) => "quota " + flavor + " " + queue;

/**
 * Returns the rows of a use of quota: one for each flavor, whatever its resources.
 * @param {{amounts: {flavor: string}[], clusterQueue?: string}} use
 */
function quotaRows({ amounts, clusterQueue = "" }) {
  return [...new Set(amounts.map(({ flavor }) => flavor))].map((flavor) => quotaRow(flavor, clusterQueue));
}

/** @param {string | undefined} time */
function parse(time) {
  return time === undefined ? undefined : Date.parse(time);
}

/**
 * Identifies the use of a slice. A job that the caller may not read has no id, and a slice has one
 * holder at a time.
 * @param {{job?: string, index?: number, attempt?: number}} one
 * @param {string} slice
 */
function holding(one, slice) {
  return one.job === undefined ? slice : one.job + "/" + one.index + "/" + one.attempt + "/" + slice;
}

/**
 * Returns the entries of the plan: one for each slice, or, without slices, one for each flavor.
 * @param {any[]} plan
 * @param {number} now
 * @returns {Entry[]}
 */
export function plannedEntries(plan, now) {
  /** @type {Entry[]} */
  const entries = [];
  for (const one of plan) {
    const start = parse(one.start);
    if (start === undefined) {
      continue;
    }
    const kind = kindOf(one);
    const earliest = parse(one.expected?.earliest);
    const latest = parse(one.expected?.latest);
    const began = kind === "running" || kind === "draining";
    const end = parse(one.end) ?? Infinity;
    const entry = {
      ...one,
      kind,
      start,
      earliest,
      latest,
      confidence: one.expected?.confidence,
      from: Math.min(start, earliest ?? start),
      to: Math.max(began ? Math.max(end, now) : end, latest ?? start),
    };
    const rows = one.slices.length > 0 ? one.slices.map(sliceRow) : quotaRows(one);
    entries.push(...rows.map((/** @type {string} */ row) => ({ ...entry, row })));
  }
  return entries;
}

/** @param {any} one @returns {Kind} */
function kindOf(one) {
  switch (one.kind) {
    case "running":
      return one.state === "DRAINING" ? "draining" : "running";
    case "promised":
      return one.firm ? "firm" : "promised";
    case "booked":
      return "booked";
    case "absent":
      return "outage";
    default:
      return "expected";
  }
}

/**
 * Returns the entries of allocations that are not part of the plan. An allocation that has no end,
 * and that the plan does not name any more, ended since the allocations were read: at the latest when
 * the slice got its present holder.
 * @param {Allocation[]} allocations
 * @param {any[]} plan
 * @param {number} now
 * @returns {Entry[]}
 */
export function pastEntries(allocations, plan, now) {
  /** @type {Set<string>} */
  const held = new Set();
  /** @type {Map<string, number>} */
  const heldSince = new Map();
  for (const one of plan.filter(({ kind }) => kind === "running")) {
    for (const slice of one.slices) {
      held.add(holding(one, slice));
      heldSince.set(slice, Date.parse(one.start));
    }
  }
  /** @type {Entry[]} */
  const entries = [];
  for (const one of allocations) {
    if (one.to === undefined && held.has(holding(one, one.slice))) {
      continue;
    }
    const from = Date.parse(one.from);
    entries.push({
      kind: "past",
      row: sliceRow(one.slice),
      from,
      to: parse(one.to) ?? Math.max(from, heldSince.get(one.slice) ?? now),
      job: one.job,
      name: one.name,
      namespace: one.namespace,
      index: one.index,
      attempt: one.attempt,
      outcome: one.outcome,
      queue: one.queue,
      clusterQueue: one.clusterQueue,
      slices: [one.slice],
      amounts: [],
    });
  }
  return entries;
}

/**
 * Returns the entries of attempts that have ended: one for each flavor whose quota they used. Those
 * that the plan still names as running are left out.
 * @param {EndedAttempt[]} attempts without slices
 * @param {any[]} plan
 * @returns {Entry[]}
 */
export function endedEntries(attempts, plan) {
  /** @param {{job?: string, index?: number, attempt?: number}} one */
  const key = ({ job, index, attempt }) => job + "/" + index + "/" + attempt;
  const running = new Set(plan.filter(({ kind }) => kind === "running").map(key));
  /** @type {Entry[]} */
  const entries = [];
  for (const { from, to, ...one } of attempts) {
    if (one.job !== undefined && running.has(key(one))) {
      continue;
    }
    for (const row of quotaRows(one)) {
      entries.push({ ...one, kind: "past", row, from: Date.parse(from), to: Date.parse(to) });
    }
  }
  return entries;
}

/**
 * Returns the entries of runs to come.
 * @param {any[]} upcoming
 * @returns {Entry[]}
 */
export function runEntries(upcoming) {
  return upcoming.map((one) => {
    const due = Date.parse(one.dueAt);
    return {
      kind: "run",
      row: RUNS,
      from: due,
      to: due,
      name: one.pipeline,
      namespace: one.namespace,
      slices: [],
      amounts: [],
    };
  });
}

/**
 * @typedef {object} Filter
 * @property {string} queue a ClusterQueue; empty: all
 * @property {string} type an accelerator type or flavor; empty: all
 * @property {string} text part of a name or namespace, in any case; empty: all
 */

/**
 * Returns the groups of rows: runs to come, slices by type and topology, slices that are gone, and
 * quota by flavor. Rows without an entry are left out if the filter selects entries.
 * @param {Entry[]} entries
 * @param {{name: string, type: string, topology: string}[]} slices
 * @param {Filter} filter
 * @param {(entry: Entry) => string} lookOf
 * @returns {import("./layout.js").Group[]}
 */
export function groupsOf(entries, slices, filter, lookOf) {
  const text = filter.text.toLowerCase();
  /** @type {Map<string, EntryBar[]>} */
  const byRow = new Map();
  for (const entry of entries) {
    if (
      (filter.queue && entry.clusterQueue !== filter.queue && entry.kind !== "outage") ||
      (text && !((entry.namespace ?? "") + "/" + (entry.name ?? "")).toLowerCase().includes(text))
    ) {
      continue;
    }
    const bars = byRow.get(entry.row) ?? [];
    byRow.set(entry.row, bars);
    bars.push({ ...entry, look: lookOf(entry) });
  }
  /** @type {Map<string, import("./layout.js").Group & {type: string}>} */
  const groups = new Map();
  /** @param {string} key @param {string} name @param {string} type @param {string} row @param {string} label */
  const add = (key, name, type, row, label) => {
    const group = groups.get(key) ?? { key, name, type, rows: [] };
    groups.set(key, group);
    group.rows.push({ key: row, name: label, bars: byRow.get(row) ?? [] });
    byRow.delete(row);
  };
  if (byRow.has(RUNS)) {
    add(RUNS, "Runs to come", RUNS, RUNS, "all pipelines");
  }
  for (const { name, type, topology } of slices.slice().sort(bySlice)) {
    const group = "slices " + type + " " + topology;
    add(group, type + " " + topology, type, sliceRow(name), name);
  }
  for (const row of [...byRow.keys()].sort()) {
    const [kind, first, second] = row.split(" ");
    if (kind === "slice") {
      add(GONE, "Slices that are gone", GONE, row, first);
    } else {
      add("quota " + first, "Quota of " + first, first, row, second);
    }
  }
  const selective = filter.queue !== "" || text !== "";
  return [...groups.values()]
    .filter(({ type }) => filter.type === "" || type === filter.type)
    .map((group) => ({
      ...group,
      rows: selective ? group.rows.filter(({ bars }) => bars.length > 0) : group.rows,
    }))
    .filter(({ rows }) => rows.length > 0);
}

/**
 * @param {{name: string, type: string, topology: string}} one
 * @param {{name: string, type: string, topology: string}} other
 */
function bySlice(one, other) {
  return (
    one.type.localeCompare(other.type) ||
    one.topology.localeCompare(other.topology) ||
    one.name.localeCompare(other.name, "en", { numeric: true })
  );
}
