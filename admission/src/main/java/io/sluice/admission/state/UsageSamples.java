// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.state.fact.QueueState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The times at which the usage of LocalQueues is sampled. Between samples, only decisions change
 * the order by usage, so parked jobs stay parked.
 */
final class UsageSamples {
  private final AdmissionState state;
  private Instant taken = Instant.MIN;

  UsageSamples(AdmissionState state) {
    this.state = state;
  }

  /** Tries all queues again if a sample has come since the last call. */
  void take() {
    AdmissionFairSharing rules = state.policy().admissionFairSharing();
    if (rules != null && !rules.sampleAt(state.now()).equals(taken)) {
      taken = rules.sampleAt(state.now());
      if (anyServesByUsage()) {
        // The order of jobs and of candidates may have changed.
        state.tries().unparkAll();
      }
    }
  }

  /** Returns the next sample; null if no pending job depends on it. */
  @Nullable Instant next() {
    AdmissionFairSharing rules = state.policy().admissionFairSharing();
    boolean waiting =
        rules != null
            && state.queues().stream()
                .anyMatch(queue -> queue.servesByUsage() && queue.pending().size() > 0);
    return rules == null || !waiting ? null : rules.sampleAfter(state.now());
  }

  private boolean anyServesByUsage() {
    return state.queues().stream().anyMatch(QueueState::servesByUsage);
  }
}
