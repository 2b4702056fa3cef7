// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.admission.plan.DatedCrossings;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.DatedObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Names the attempts that run on although a booking or an outage needs what they use. */
final class DatedWarnings {
  private static final int NAMED_MAX = 10;

  private DatedWarnings() {}

  static List<String> of(AdmissionState state, DatedObject dated) {
    List<Attempt> crossings = DatedCrossings.find(state, dated);
    List<String> warnings = new ArrayList<>();
    for (Attempt attempt : crossings.subList(0, Math.min(NAMED_MAX, crossings.size()))) {
      Workload workload = attempt.job().workload();
      Instant end = attempt.latestEnd(state.policy().ends());
      warnings.add(
          "%s %s: job %s/%s is not preemptible and runs on, %s"
              .formatted(
                  dated.key(),
                  dated.period(),
                  workload.queue().namespace(),
                  workload.name(),
                  end == null ? "without a latest end" : "until " + end + " at the latest"));
    }
    if (crossings.size() > NAMED_MAX) {
      warnings.add(dated.key() + ": " + (crossings.size() - NAMED_MAX) + " more jobs run on");
    }
    return warnings;
  }
}
