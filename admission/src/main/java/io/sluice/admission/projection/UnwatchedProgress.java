// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobLimits;
import java.util.List;

/**
 * Removes progress deadlines, which are short: a projection would run a round for each of them, to
 * report progress each time.
 */
final class UnwatchedProgress {
  private UnwatchedProgress() {}

  static StateSnapshot of(StateSnapshot snapshot) {
    List<JobRecord> jobs =
        snapshot.jobs().stream()
            .map(
                job -> {
                  JobLimits limits = job.workload().limits();
                  return watched(limits) ? job.withLimits(limits.withoutProgressDeadline()) : job;
                })
            .toList();
    return snapshot.with(jobs, snapshot.attempts());
  }

  static Input of(Input input) {
    if (input instanceof Input.SubmitJob submit && watched(submit.workload().limits())) {
      JobLimits limits = submit.workload().limits().withoutProgressDeadline();
      return new Input.SubmitJob(submit.workload().withLimits(limits), submit.hold());
    }
    return input;
  }

  private static boolean watched(JobLimits limits) {
    return limits.deadlines().progress() != null;
  }
}
