// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.state.fact.QueueState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the usage of LocalQueues is looked at anew. Between samples no order that depends on it
 * changes but by what is decided, so what was parked stays parked.
 */
final class UsageSamples {
  private final AdmissionState state;
  private Instant taken = Instant.MIN;

  UsageSamples(AdmissionState state) {
    this.state = state;
  }

  /** If a sample has come since this was last called, everybody is tried again. */
  void take() {
    AdmissionFairSharing rules = state.policy().admissionFairSharing();
    if (rules != null && !rules.sampleAt(state.now()).equals(taken)) {
      taken = rules.sampleAt(state.now());
      if (anyServesByUsage()) {
        // Who is first, and who goes first, may be others now.
        state.tries().unparkAll();
      }
    }
  }

  /** The next sample that may matter; null while nobody waits for it. */
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
