// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

/** The reason why a job is not running, with its possible cure. */
public enum Blocker {
  /** The job will be admitted in the next round. */
  NEXT_ROUND(Cure.TIME),
  /** The job appeared to fit and was not admitted: a fault of the engine. */
  UNDECIDED(Cure.TIME),
  /** Another admitted job has to start first, because admission is blocked until then. */
  WAITING_FOR_START(Cure.TIME),
  /** The room that the job will get is still draining. */
  WAITING_FOR_DRAIN(Cure.TIME),
  /** The attempt is draining, and its end is not confirmed. */
  DRAINING(Cure.TIME),
  /** A caller holds the job. */
  HELD(Cure.USER),
  /** The job lost its hosts too often in a row; it is held until a caller releases it. */
  QUARANTINED(Cure.USER),
  /** The submitter already runs as many jobs as the LocalQueue allows. */
  SUBMITTER_LIMIT(Cure.TIME),
  /** The job is admitted, and its attempt is not reported started. */
  STARTING(Cure.TIME),
  /** The attempt runs without progress for longer than its progress deadline. */
  STALLED(Cure.USER),
  /** The job failed or missed its start deadline, and waits for its retry. */
  BACKOFF(Cure.TIME),
  /** The job runs its maximum number of indices in parallel. */
  PARALLELISM(Cure.TIME),
  /** An earlier job waits: with StrictFIFO any earlier job, else one with the same requests. */
  BEHIND_OTHERS(Cure.TIME),
  /** Other work uses or claims the quota. */
  QUOTA_IN_USE(Cure.PREEMPTION),
  /** Other work holds or claims the slices. */
  SLICES_IN_USE(Cure.PREEMPTION),
  /** Enough hosts are free, but not together as the slices require. */
  SLICES_SCATTERED(Cure.PREEMPTION),
  /** The job would delay planned starts of other jobs. */
  PLANNED_STARTS(Cure.TIME),
  /** The job could still run when bookings of other queues, or outages, begin. */
  DATED_CAPACITY(Cure.TIME),
  /** Other work uses the nodes that are close enough together. */
  NODES_IN_USE(Cure.PREEMPTION),
  /** Too few nodes are close enough together, even in an empty fleet. */
  TOO_FEW_NODES(Cure.CAPACITY),
  /** The job has quota for a rung of its class, whose capacity has not come. */
  WAITING_FOR_CAPACITY(Cure.CAPACITY),
  /** Every rung of the class is closed until the end of its cool-down. */
  ALL_RUNGS_CLOSED(Cure.TIME),
  /** The slices are absent, and without a compute class they are not sought. */
  SLICES_ABSENT(Cure.CAPACITY),
  /** The fleet has fewer such slices than requested. */
  TOO_FEW_SLICES(Cure.CAPACITY),
  /** The clusters of the queue's flavors were never reached. */
  CLUSTER_NOT_REACHED(Cure.CAPACITY),
  /** The flavor has enough slices, but too few whose hosts all meet the pods' requirements. */
  NO_MATCHING_SLICES(Cure.USER),
  /** The request exceeds what the queue could ever use. */
  EXCEEDS_QUOTA(Cure.QUOTA),
  /** The compute class does not exist. */
  COMPUTE_CLASS_MISSING(Cure.QUOTA),
  /** No flavor of the queue matches a rung of the class. */
  NO_FLAVOR_OF_CLASS(Cure.QUOTA),
  /** The queue has no quota of a requested resource. */
  RESOURCE_NOT_COVERED(Cure.QUOTA),
  /** The LocalQueue or ClusterQueue is stopped. */
  QUEUE_STOPPED(Cure.QUOTA),
  /** The ClusterQueue does not select the namespace. */
  NAMESPACE_NOT_SELECTED(Cure.QUOTA),
  /** No flavor has the topology of the pods' topology request. */
  NO_TOPOLOGY(Cure.USER),
  /** The flavors are only for pods that are placed by a topology. */
  ONLY_BY_TOPOLOGY(Cure.USER),
  /** The pods select labels that no flavor offers. */
  NODE_SELECTOR(Cure.USER),
  /** The pods do not tolerate the taints of any flavor. */
  UNTOLERATED_TAINT(Cure.USER);

  /** What can resolve a blocker. */
  public enum Cure {
    /** Time alone. */
    TIME,
    /** More or repaired hosts. */
    CAPACITY,
    /** An administrator, by a change of quota objects. */
    QUOTA,
    /** The end or eviction of other work. */
    PREEMPTION,
    /** The user, by a change of the job or its release. */
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
