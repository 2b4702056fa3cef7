// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.decision;

import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.RungTrial;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.event.RungEvent.RungEnd;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.Rung;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

/** Opens, pauses and closes the rungs of jobs. */
public final class RungChanges {
  private RungChanges() {}

  /** Closes a rung of a job for the cool-down of its class. */
  public static void close(Decisions decisions, RungKey key, RungEnd end) {
    AdmissionState state = decisions.state();
    JobEntry job = state.findJob(key.job());
    ComputeClass ladder = job == null ? null : state.objects().computeClassOf(job);
    Duration coolDown =
        ladder == null || key.rung() >= ladder.rungs().size()
            ? Rung.Terms.COOL_DOWN
            : ladder.rungs().get(key.rung()).terms().coolDown();
    if (job != null) {
      decisions.record(new RungEvent.RungClosed(key, end, decisions.now().plus(coolDown)));
    }
  }

  /** Updates the rungs of a job that could not be admitted to the findings of the ladder walk. */
  public static void follow(Decisions decisions, JobEntry job, FlavorAssignment assignment) {
    TreeSet<Integer> unseen = new TreeSet<>(job.ladder().keySet());
    for (RungTrial trial : assignment.trials()) {
      unseen.remove(trial.rung());
      RungKey key = new RungKey(job.id(), trial.rung());
      RungProgress progress = job.ladder().get(trial.rung());
      boolean waits = progress != null && progress.waiting();
      Assignment wanted = trial.wanted();
      if (wanted != null) {
        if (waits && progress != null && !wanted.equals(progress.wanted())) {
          decisions.record(new RungEvent.RungPaused(key));
          waits = false;
        }
        if (!waits) {
          decisions.record(new RungEvent.RungOpened(key, wanted));
        }
      } else if (waits && stopsClock(trial)) {
        decisions.record(new RungEvent.RungPaused(key));
      }
    }
    unseen.forEach(number -> pause(decisions, job, number));
  }

  /** Pauses all waiting rungs of a job. */
  public static void pauseAll(Decisions decisions, JobEntry job) {
    List.copyOf(job.ladder().keySet()).forEach(number -> pause(decisions, job, number));
  }

  /** A walk that ended at expected room of other jobs seeks nothing on later rungs. */
  private static void pause(Decisions decisions, JobEntry job, int number) {
    RungProgress progress = job.ladder().get(number);
    if (progress != null && progress.waiting()) {
      decisions.record(new RungEvent.RungPaused(new RungKey(job.id(), number)));
    }
  }

  /** Room that comes by preemption or draining is not sought. */
  private static boolean stopsClock(RungTrial trial) {
    return switch (trial.finding()) {
      case QUOTA_LACKS, NO_FLAVOR, ROOM_BY_PREEMPTION -> true;
      case CLOSED, CAPACITY_LACKS, FITS -> false;
    };
  }
}
