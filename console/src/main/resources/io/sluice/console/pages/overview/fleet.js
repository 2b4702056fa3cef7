// SPDX-License-Identifier: Apache-2.0
// The fleet map without its drawing: groups of slices, their totals, states, tints and places.

/** The number of tints; overview.css has one class for each, `tint-0` and so on. */
export const TINTS = 14;

/** More blocks than this in one group are drawn as a single block. */
const BLOCKS_MAX = 80;

/** The states of a slice, and how a legend names them. */
export const STATES = {
  running: "held, running",
  starting: "held, not started",
  draining: "draining",
  partly: "held in part",
  free: "free",
  kept: "kept for a job",
  claimed: "claimed by a job",
  leaving: "leaving",
  absent: "absent",
  failed: "failed host",
};

/** @typedef {keyof typeof STATES} SliceState */

/** States of a slice by the state of its attempt, where it is not running. @type {Record<string, SliceState>} */
const HELD = { ADMITTED: "starting", DRAINING: "draining" };

/**
 * Returns the states of a slice, the most serious first. A slice can drain, be claimed and be
 * leaving at once.
 * @param {MapSlice} slice
 * @returns {SliceState[]}
 */
export function statesOf(slice) {
  /** @type {SliceState[]} */
  const states = [];
  if (slice.failed) {
    states.push("failed");
  }
  if (slice.condition === "ABSENT") {
    states.push("absent");
  }
  if (slice.condition === "LEAVING") {
    states.push("leaving");
  }
  if (slice.claimed) {
    states.push("claimed");
  }
  const [holder] = slice.holders;
  if (holder) {
    states.push(slice.partly ? "partly" : (HELD[holder.state] ?? "running"));
  } else if (slice.kept) {
    states.push("kept");
  }
  return states.length === 0 ? ["free"] : states;
}

/**
 * Returns the part of a slice's name that it has in common with its block or pool: the name
 * without its last part, or without its final digits.
 * @param {string} name
 */
export function blockOf(name) {
  const dash = name.lastIndexOf("-");
  if (dash > 0) {
    return name.slice(0, dash);
  }
  return name.replace(/[0-9]+$/, "") || name;
}

const ORDER = new Intl.Collator("en", { numeric: true });

/** Compares names so that `s-2` is before `s-10`. @param {string} one @param {string} other */
export const byName = (one, other) => ORDER.compare(one, other);

/**
 * @typedef {object} Block
 * @property {string} name
 * @property {MapSlice[]} slices
 *
 * @typedef {object} Group
 * @property {string} key
 * @property {string} type
 * @property {string} topology
 * @property {string} capacityType
 * @property {Block[]} blocks
 * @property {number} count of slices
 * @property {number} held slices of which an attempt holds all or a part
 * @property {number} chips of all slices
 * @property {number} heldChips
 * @property {Partial<Record<SliceState, number>>} states slices by their most serious state
 */

/**
 * Returns the slices in groups with the same accelerator type, topology and capacity type.
 * O(n log n) for n slices.
 * @param {MapSlice[]} slices
 * @returns {Group[]}
 */
export function groupsOf(slices) {
  /** @type {Map<string, Group & {byBlock: Map<string, MapSlice[]>}>} */
  const groups = new Map();
  for (const slice of slices) {
    const key = slice.type + " " + slice.topology + " " + slice.capacityType;
    let group = groups.get(key);
    if (!group) {
      const { type, topology, capacityType } = slice;
      group = { key, type, topology, capacityType, blocks: [], count: 0, held: 0, chips: 0, heldChips: 0, states: {}, byBlock: new Map() };
      groups.set(key, group);
    }
    group.count++;
    group.chips += slice.chips;
    if (slice.holders.length > 0) {
      group.held++;
      group.heldChips += slice.chips;
    }
    const [state] = statesOf(slice);
    group.states[state] = (group.states[state] ?? 0) + 1;
    const block = blockOf(slice.name);
    const members = group.byBlock.get(block);
    if (members) {
      members.push(slice);
    } else {
      group.byBlock.set(block, [slice]);
    }
  }
  return [...groups.values()]
    .map(({ byBlock, ...group }) => ({ ...group, blocks: blocksOf(byBlock, group.count) }))
    .sort((one, other) => byName(one.key, other.key));
}

/**
 * Sorts slices as {@link byName} does for names of one block, in a tenth of its time.
 * @param {MapSlice[]} slices
 * @returns {MapSlice[]}
 */
function sortedByName(slices) {
  return slices
    .map((slice) => {
      const [digits] = /[0-9]*$/.exec(slice.name) ?? [""];
      return { slice, prefix: slice.name.slice(0, slice.name.length - digits.length), number: Number(digits) };
    })
    .sort((one, other) =>
      one.prefix === other.prefix ? one.number - other.number : one.prefix < other.prefix ? -1 : 1,
    )
    .map(({ slice }) => slice);
}

/**
 * @param {Map<string, MapSlice[]>} byBlock
 * @param {number} count
 * @returns {Block[]}
 */
function blocksOf(byBlock, count) {
  // Prefixes that hardly any two slices share are no blocks.
  const none = byBlock.size > BLOCKS_MAX || (byBlock.size > 1 && count < 2 * byBlock.size);
  const blocks = none
    ? [{ name: "", slices: [...byBlock.values()].flat() }]
    : [...byBlock].map(([name, slices]) => ({ name, slices }));
  for (const block of blocks) {
    block.slices = sortedByName(block.slices);
  }
  return blocks.sort((one, other) => byName(one.name, other.name));
}

/** FNV-1a, 32 bits. @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return value >>> 0;
}

/**
 * Returns a tint for each name: the one of its hash, or the next that is free while there are
 * enough. A name keeps its tint unless names with the same hash come or go.
 * @param {Iterable<string>} names
 * @returns {Map<string, number>}
 */
export function tintsOf(names) {
  const tints = new Map();
  const taken = new Set();
  for (const name of [...new Set(names)].sort()) {
    let tint = hash(name) % TINTS;
    while (taken.has(tint) && taken.size < TINTS) {
      tint = (tint + 1) % TINTS;
    }
    taken.add(tint);
    tints.set(name, tint);
  }
  return tints;
}

/**
 * Returns who holds a slice: a team, a ClusterQueue or a namespace; empty: hidden from the caller.
 * @param {MapSlice["holders"][0]} holder
 * @param {string} field of the holder that names it
 */
export function nameOf(holder, field) {
  return holder[/** @type {"team" | "clusterQueue" | "namespace"} */ (field)] ?? "";
}

/**
 * Returns the holders of slices with their number of slices, the largest first, and all states that
 * occur.
 * @param {MapSlice[]} slices
 * @param {string} field of a holder that names it
 * @returns {{names: [string, number][], states: Set<string>}} an empty name: hidden from the caller
 */
export function usesOf(slices, field) {
  /** @type {Map<string, number>} */
  const held = new Map();
  /** @type {Set<string>} */
  const states = new Set();
  for (const slice of slices) {
    const [holder] = slice.holders;
    if (holder) {
      const name = nameOf(holder, field);
      held.set(name, (held.get(name) ?? 0) + 1);
    }
    statesOf(slice).forEach((state) => states.add(state));
  }
  const names = [...held].sort((one, other) => other[1] - one[1] || byName(one[0], other[0]));
  return { names, states };
}
