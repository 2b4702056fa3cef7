// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

/** The ground for evicting a victim: Kueue's reasons, and one of Sluice. */
public enum PreemptionReason {
  /** It is in the preemptor's queue and stands behind it there. */
  IN_CLUSTER_QUEUE("InClusterQueue"),
  /** Its queue uses more than its nominal quota, which the preemptor's queue claims back. */
  IN_COHORT_RECLAMATION("InCohortReclamation"),
  /** As before, while the preemptor's queue borrows too. */
  IN_COHORT_RECLAIM_WHILE_BORROWING("InCohortReclaimWhileBorrowing"),
  /** Its queue, or a cohort above it, uses more of what is shared than is fair. */
  IN_COHORT_FAIR_SHARING("InCohortFairSharing"),
  /** It consented to be evicted for higher-priority work in any queue. */
  PREEMPTIBLE("Preemptible");

  private final String word;

  PreemptionReason(String word) {
    this.word = word;
  }

  /** The word in the API. */
  public String word() {
    return word;
  }
}
