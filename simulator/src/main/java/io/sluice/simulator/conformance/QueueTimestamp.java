// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;

/** The timestamp that orders a workload in its queue. */
final class QueueTimestamp {
  private static final Duration AFTER_PREEMPTION = Duration.ofMillis(1);

  private final Gates gates;
  private final boolean byPodsReadyEviction;

  /**
   * A rule for timestamps.
   *
   * @param byPodsReadyEviction whether one that was evicted because its pods were not ready in time
   *     stands by the time of that
   */
  QueueTimestamp(Gates gates, boolean byPodsReadyEviction) {
    this.gates = gates;
    this.byPodsReadyEviction = byPodsReadyEviction;
  }

  /** The rule of a server that is told nothing else: such an eviction counts. */
  static QueueTimestamp usual(Gates gates) {
    return new QueueTimestamp(gates, true);
  }

  /** When it was created, or when it was evicted for a reason that puts it at the end. */
  Instant of(CaseWorkload workload) {
    JsonNode evicted = workload.condition("Evicted");
    if (evicted != null) {
      String reason = CaseFields.text(evicted, "reason", "");
      boolean counts =
          (reason.equals("PodsReadyTimeout") && byPodsReadyEviction)
              || reason.equals("AdmissionCheck");
      if (counts) {
        return time(evicted, workload);
      }
    }
    JsonNode preempted = workload.condition("Preempted");
    if (!gates.on("PrioritySortingWithinCohort")
        && preempted != null
        && CaseFields.text(preempted, "reason", "").equals("InCohortReclaimWhileBorrowing")) {
      return time(preempted, workload).plus(AFTER_PREEMPTION);
    }
    return workload.createdAt();
  }

  private static Instant time(JsonNode condition, CaseWorkload workload) {
    Instant at = CaseFields.instant(condition, "lastTransitionTime");
    return at == null ? workload.createdAt() : at;
  }
}
