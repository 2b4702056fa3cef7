// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.Leftovers.Leftover;
import io.sluice.scheduler.execution.local.LocalAttempt.Verdict;
import io.sluice.scheduler.execution.local.files.AttemptRecords;
import io.sluice.scheduler.execution.local.files.AttemptRecords.AttemptRecord;
import io.sluice.scheduler.execution.local.files.AttemptRecords.PodRecord;
import io.sluice.scheduler.execution.local.process.ProcessMark;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides after a restart whether an attempt of an earlier server still runs, has ended or is lost.
 * It reads the attempt's records and processes and changes nothing.
 */
final class RecoveryVerdict {
  private static final Logger LOG = System.getLogger(RecoveryVerdict.class.getName());

  private final AttemptRecords records;

  RecoveryVerdict(AttemptRecords records) {
    this.records = records;
  }

  /**
   * Returns the attempt as this server takes it over.
   *
   * @param left its record and processes; null if nothing was found
   * @return null if it was never started, so that a start may follow; in phase RUNNING if its pods,
   *     alive or not, are to be watched; else an attempt that is to be ended
   */
  @Nullable LocalAttempt judge(Launch launch, @Nullable Leftover left) {
    boolean starting = launch.starting();
    if (left == null) {
      return starting ? null : lost(launch, List.of());
    }
    AttemptRecord started = left.started();
    boolean draining = launch.state() == AttemptState.DRAINING;
    if (started == null || started.equals(AttemptRecord.UNREADABLE)) {
      return lost(launch, left.leaders());
    }
    if (started.generation() != launch.generation()) {
      // The new generation starts when nothing of the older one is left.
      return starting
          ? LocalAttempt.outgrown(launch, started, left.leaders())
          : lost(launch, left.leaders());
    }
    long begun = started.pods().stream().filter(pod -> begun(launch, pod)).count();
    if (begun == 0 && starting) {
      return new LocalAttempt(
          launch.attempt(), launch.generation(), Verdict.UNSTARTED, left.leaders());
    }
    boolean whole = begun > 0 && begun == started.pods().size() && !started.endedByServer();
    return whole || draining
        ? adopt(launch, left.leaders(), started)
        : lost(launch, left.leaders());
  }

  private boolean begun(Launch launch, PodRecord pod) {
    return records.status(launch.attempt(), launch.generation(), pod).begun();
  }

  private static LocalAttempt adopt(
      Launch launch, List<ProcessMark> leaders, AttemptRecord started) {
    try {
      List<PodPlan> pods = PodPlanner.placedBefore(launch, started.pods());
      return LocalAttempt.adopted(launch, pods, leaders);
    } catch (CannotStartException notOfThisJob) {
      LOG.log(
          Level.WARNING,
          "Attempt " + launch.attempt() + " counts as lost: " + notOfThisJob.getMessage());
      return lost(launch, leaders);
    }
  }

  private static LocalAttempt lost(Launch launch, List<ProcessMark> leaders) {
    return new LocalAttempt(launch.attempt(), launch.generation(), Verdict.LOST, leaders);
  }
}
