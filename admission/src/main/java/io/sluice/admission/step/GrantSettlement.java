// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.decision.IndexAdmission;
import io.sluice.admission.decision.RungChanges;
import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.preemption.VictimSearch;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.topology.SliceOutlook;
import io.sluice.admission.topology.SlicePool;
import io.sluice.admission.topology.SliceStandings;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.RungEvent.RungEnd;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.AcceleratorRequest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives granted slices to the jobs for which they are kept, before other jobs are tried. If the job
 * cannot use them, because it lost its quota or no longer waits, they go to the first other job
 * that waits for such slices and has quota. Otherwise they stay reserved for their hold time if the
 * job may still need them, and are returned at once if not.
 */
public final class GrantSettlement {
  /** Number of grants without quota after which a rung closes. */
  static final int IDLE_GRANTS_MAX = 2;

  private final Decisions decisions;
  private final AdmissionState state;
  private final SliceStandings standings;
  private final FlavorAssigner assigner;

  public GrantSettlement(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
    this.standings = state.slices().standings();
    this.assigner = new FlavorAssigner(state, new VictimSearch(state));
  }

  public void settle() {
    standings.keepers().forEach(this::settle);
  }

  private void settle(RungKey keeper) {
    JobEntry job = state.findJob(keeper.job());
    if (job != null) {
      tryToAdmit(job);
    }
    List<String> kept = unclaimed(standings.keptFor(keeper));
    RungProgress progress = state.ladders().find(keeper);
    if (kept.isEmpty() || (progress != null && progress.waiting())) {
      return;
    }
    RungKey other = successor(keeper, kept);
    if (other != null) {
      decisions.record(
          new SliceEvent.SlicesPassedOn(
              kept, keeper, other, decisions.now().plus(SliceStandings.GRANT_HOLD)));
      closeIfIdle(decisions, keeper);
      JobEntry next = state.findJob(other.job());
      if (next != null) {
        tryToAdmit(next);
      }
    } else if (progress == null || progress.standing() == RungProgress.Standing.CLOSED) {
      release(decisions, kept, keeper);
    }
  }

  private List<String> unclaimed(List<String> slices) {
    return slices.stream().filter(slice -> state.slices().claimant(slice) == null).toList();
  }

  private void tryToAdmit(JobEntry job) {
    if (!state.awaited().isEmpty() || !WaitSettlement.mayTry(state, job)) {
      return;
    }
    Runnable giveBack = state.plan().guard().keepSlicesFrom(job);
    try {
      admitIfItFits(job);
    } finally {
      giveBack.run();
    }
  }

  private void admitIfItFits(JobEntry job) {
    FlavorAssignment assignment = assigner.assign(job);
    RoomNeed need = assignment.need();
    if (assignment.mode() == AssignmentMode.FIT && need != null) {
      SlicePool pool = need.pool();
      List<String> slices =
          pool == null ? List.of() : state.slices().free(pool, need.slices(), job.id());
      new IndexAdmission(decisions)
          .admit(
              job,
              job.nextIndex(state.now()).orElseThrow(),
              new Assignment(job.queue().name(), assignment.podSets(), slices, assignment.rung()),
              Collections.emptySet());
    }
  }

  /** Returns the first job that waits for such slices and could use them at once. */
  private @Nullable RungKey successor(RungKey keeper, List<String> kept) {
    for (JobEntry job : state.ladders().waiting()) {
      AcceleratorRequest accelerator = job.workload().shape().accelerator();
      if (accelerator == null || job.id().equals(keeper.job())) {
        continue;
      }
      for (Map.Entry<Integer, RungProgress> entry : job.ladder().entrySet()) {
        Assignment wanted = entry.getValue().wanted();
        SlicePool pool = wanted == null ? null : SlicePool.of(wanted, job.workload().shape());
        if (pool != null && suffice(kept, pool, accelerator.slices().min(), job)) {
          return new RungKey(job.id(), entry.getKey());
        }
      }
    }
    return null;
  }

  private boolean suffice(List<String> kept, SlicePool pool, int wanted, JobEntry job) {
    SliceOutlook outlook = state.slices().outlook(pool, job.id());
    int without = outlook.count();
    outlook.provide(kept);
    return outlook.count() > without && outlook.count() >= wanted;
  }

  /**
   * Releases slices to their provider, and closes their rung after too many grants without quota.
   */
  static void release(Decisions decisions, List<String> slices, @Nullable RungKey rung) {
    decisions.record(new SliceEvent.SlicesReleased(slices, rung));
    if (rung != null) {
      closeIfIdle(decisions, rung);
    }
  }

  private static void closeIfIdle(Decisions decisions, RungKey rung) {
    RungProgress progress = decisions.state().ladders().find(rung);
    if (progress != null && progress.idleGrants() >= IDLE_GRANTS_MAX) {
      RungChanges.close(decisions, rung, RungEnd.GRANTS_WITHOUT_QUOTA);
    }
  }
}
