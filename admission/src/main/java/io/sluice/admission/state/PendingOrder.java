// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.state.fact.PendingJobs;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.pending.PendingByUsage;
import io.sluice.admission.state.pending.PendingIndex;
import io.sluice.admission.state.record.SubmitterKey;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.policy.AdmissionMode;

/** Creates the index of pending jobs for a ClusterQueue: by age, or by usage and age. */
final class PendingOrder {
  private final AdmissionState state;

  PendingOrder(AdmissionState state) {
    this.state = state;
  }

  /** Returns an empty index for a queue. */
  PendingJobs none(ClusterQueue spec) {
    AdmissionFairSharing rules = state.policy().admissionFairSharing();
    return rules != null && spec.policies().admissionMode() == AdmissionMode.BY_USAGE
        ? new PendingByUsage(state.localQueueUsage()::share, () -> rules.sampleAt(state.now()))
        : new PendingIndex();
  }

  /**
   * Replaces the index of a queue if its spec now requires another kind. The pending jobs have to
   * be added to the new index afterwards.
   */
  void follow(QueueState queue) {
    PendingJobs other = none(queue.spec());
    if (other.byUsage() != queue.servesByUsage()) {
      queue.setPending(other);
      for (SubmitterKey submitter : state.running().submitters()) {
        other.withhold(submitter, state.running().full(submitter));
      }
    }
  }
}
