// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

/** Why a job is not running, and who or what could cure it. */
public enum Blocker {
  /** It will be admitted in the next round. */
  NEXT_ROUND(Cure.TIME),
  /** The engine expected to admit it and did not: a fault of the engine. */
  UNDECIDED(Cure.TIME),
  /** Another job was admitted, which has to start before anybody else is admitted. */
  WAITING_FOR_START(Cure.TIME),
  /** The room that it will get has not drained. */
  WAITING_FOR_DRAIN(Cure.TIME),
  /** Its attempt is draining, and is not confirmed ended. */
  DRAINING(Cure.TIME),
  /** Somebody holds it. */
  HELD(Cure.USER),
  /** Its hosts were lost too often in a row: it is held until somebody releases it. */
  QUARANTINED(Cure.USER),
  /** As many jobs of its submitter run as its LocalQueue allows. */
  SUBMITTER_LIMIT(Cure.TIME),
  /** It was admitted; its attempt has not been reported started. */
  STARTING(Cure.TIME),
  /** Its attempt runs, and has made no progress for its progress deadline. */
  STALLED(Cure.USER),
  /** It failed or missed its start deadline, and is retried after a while. */
  BACKOFF(Cure.TIME),
  /** As many of its indices are live as may be in parallel. */
  PARALLELISM(Cure.TIME),
  /** A job before it waits: any one if its queue is StrictFIFO, else one that asks for the same. */
  BEHIND_OTHERS(Cure.TIME),
  /** Others use or claim the quota. */
  QUOTA_IN_USE(Cure.PREEMPTION),
  /** Others hold or claim the slices. */
  SLICES_IN_USE(Cure.PREEMPTION),
  /** Enough hosts are free, but not together as the slices would have to be. */
  SLICES_SCATTERED(Cure.PREEMPTION),
  /** Others take the nodes that would be close enough together. */
  NODES_IN_USE(Cure.PREEMPTION),
  /** There are too few nodes close enough together, whoever takes them. */
  TOO_FEW_NODES(Cure.CAPACITY),
  /** It has quota for a rung of its class, whose capacity has not come. */
  WAITING_FOR_CAPACITY(Cure.CAPACITY),
  /** Every rung of its class is left alone for a time. */
  ALL_RUNGS_CLOSED(Cure.TIME),
  /** The slices are absent, and without a compute class nobody seeks them. */
  SLICES_ABSENT(Cure.CAPACITY),
  /** The fleet has fewer such slices than it asks for. */
  TOO_FEW_SLICES(Cure.CAPACITY),
  /** The clusters of its queue's flavors have never been reached. */
  CLUSTER_NOT_REACHED(Cure.CAPACITY),
  /** Enough slices are of its flavor, but on too few all hosts meet what its pods require. */
  NO_MATCHING_SLICES(Cure.USER),
  /** It asks for more than its queue could ever use. */
  EXCEEDS_QUOTA(Cure.QUOTA),
  /** Its compute class does not exist. */
  COMPUTE_CLASS_MISSING(Cure.QUOTA),
  /** No flavor of its queue matches a rung of its class. */
  NO_FLAVOR_OF_CLASS(Cure.QUOTA),
  /** Its queue has no quota of a resource that it asks for. */
  RESOURCE_NOT_COVERED(Cure.QUOTA),
  /** Its LocalQueue or ClusterQueue is held. */
  QUEUE_STOPPED(Cure.QUOTA),
  /** Its ClusterQueue is not open to its namespace. */
  NAMESPACE_NOT_SELECTED(Cure.QUOTA),
  /** No flavor has the topology by which it wants its pods placed. */
  NO_TOPOLOGY(Cure.USER),
  /** The flavors are only for pods that are placed by a topology. */
  ONLY_BY_TOPOLOGY(Cure.USER),
  /** Its pods select labels that no flavor offers. */
  NODE_SELECTOR(Cure.USER),
  /** Its pods do not tolerate the taints of any flavor. */
  UNTOLERATED_TAINT(Cure.USER);

  /** Who or what could cure it. */
  public enum Cure {
    /** Waiting alone. */
    TIME,
    /** More or repaired hosts. */
    CAPACITY,
    /** An administrator, by an edit of quota objects. */
    QUOTA,
    /** Other work ending or being evicted. */
    PREEMPTION,
    /** The user, by an edit of the job or its release. */
    USER
  }

  private final Cure cure;

  Blocker(Cure cure) {
    this.cure = cure;
  }

  public Cure cure() {
    return cure;
  }
}
