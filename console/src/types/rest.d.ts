// SPDX-License-Identifier: Apache-2.0
/** Answers of the REST interface, as far as several pages read them; docs/openapi.yaml has all. */

interface Job {
  id: string;
  metadata: { name: string; namespace: string; labels?: Record<string, string> };
  spec: any;
  status: {
    state: string;
    blocker?: string;
    reason?: string;
    clusterQueue: string;
    priority: number;
    preemptible: boolean;
    hold?: { by: string; since: string };
    createdAt: string;
    finishedAt?: string;
    attempts: number;
    plannedStart?: { at?: string; firm: boolean };
    indices?: { count: number; pending: number; live: number; ended: number; failedCount: number };
  };
}

interface WatchEvent {
  id: string;
  sequence: number;
  position: number;
  at: string;
  kind: string;
  text: string;
  object: { kind: string; namespace?: string; name?: string; state?: string; slices?: string[] };
  job?: { id: string; namespace: string; name: string; queue: string; clusterQueue: string; index?: number; attempt?: number };
  run?: { id: string; namespace: string; pipeline: string; name: string };
}

/** A slice of GET /v1/fleet/map, with its kind and its holders in place of their indices. */
interface MapSlice {
  name: string;
  type: string;
  topology: string;
  chips: number;
  capacityType: string;
  condition: string;
  failed?: boolean;
  kept?: boolean;
  claimed?: boolean;
  partly?: boolean;
  holders: { job?: string; name?: string; namespace?: string; team?: string; clusterQueue: string; state: string }[];
}

interface Slice {
  name: string;
  type: string;
  topology: string;
  chips: number;
  capacityType: string;
  condition: string;
  hosts: string[];
  failedHosts?: string[];
  leavesAt?: string;
  reason?: string;
  keptFor?: any;
  heldBy?: any;
  formed?: { name: string; heldBy: any }[];
  claimedBy?: any;
}

/** An allocation of a slice to an attempt. Of a job that the caller may not read, its facts are absent. */
interface Allocation {
  slice: string;
  type?: string;
  topology?: string;
  chips?: number;
  job?: string;
  index?: number;
  attempt?: number;
  name?: string;
  namespace?: string;
  queue?: string;
  submittedBy?: string;
  team?: string;
  priorityClass?: string;
  clusterQueue: string;
  from: string;
  to?: string;
  outcome?: string;
}

/** What an attempt held that has ended. Of a job that the caller may not read, its facts are absent. */
interface EndedAttempt {
  job?: string;
  index?: number;
  attempt?: number;
  name?: string;
  namespace?: string;
  queue?: string;
  clusterQueue: string;
  from: string;
  to: string;
  outcome: string;
  amounts: { flavor: string; resource: string; amount: string }[];
  slices: string[];
}
