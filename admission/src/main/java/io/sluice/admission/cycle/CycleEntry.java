// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.job.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A head with what was found for it. Of one that is known to fit it may be known only how much it
 * takes: the rest is found when its turn comes, and if there is still room.
 *
 * @param found null: it is yet to be found
 * @param usage what it takes; null: nothing fits
 * @param borrowingLevel how far up quota must be sought
 * @param victims who must go for it; null: nobody, or nobody may be made to
 * @param fillers what it fits into if it is taken back; null: nothing is
 */
public record CycleEntry(
    JobEntry job,
    @Nullable FlavorAssignment found,
    @Nullable Usage usage,
    int borrowingLevel,
    @Nullable Victims victims,
    @Nullable TakenFillers fillers)
    implements EntryOrder.Orderable {
  CycleEntry(JobEntry job, FlavorAssignment found, @Nullable Victims victims) {
    this(job, found, victims, null);
  }

  CycleEntry(
      JobEntry job,
      FlavorAssignment found,
      @Nullable Victims victims,
      @Nullable TakenFillers fillers) {
    this(job, found, usage(found), found.borrowingLevel(), victims, fillers);
  }

  /** One that fits, for which nothing was looked for yet. */
  static CycleEntry foreseen(JobEntry job, Usage usage, int borrowingLevel) {
    return new CycleEntry(job, null, usage, borrowingLevel, null, null);
  }

  private static @Nullable Usage usage(FlavorAssignment found) {
    RoomNeed need = found.need();
    return need == null ? null : need.usage();
  }

  @Override
  public Workload workload() {
    return job.workload();
  }

  @Override
  public boolean preemptor() {
    return victims != null;
  }

  /** Whether its flavors are yet to be found. */
  boolean foreseen() {
    return found == null;
  }

  /**
   * What was found.
   *
   * @throws IllegalStateException if it is {@link #foreseen} only
   */
  public FlavorAssignment assignment() {
    if (found == null) {
      throw new IllegalStateException("nothing was looked for yet: " + job);
    }
    return found;
  }

  /** Whether it fits without anybody going, at once or once fillers have been taken back. */
  boolean fits() {
    return found == null || found.mode() == AssignmentMode.FIT;
  }

  /** What it takes; only if there is anything. */
  Usage taken() {
    if (usage == null) {
      throw new IllegalStateException("nothing fits " + job);
    }
    return usage;
  }

  public RoomNeed need() {
    RoomNeed need = assignment().need();
    if (need == null) {
      throw new IllegalStateException("nothing fits " + job);
    }
    return need;
  }

  /** What it is given, with these slices. */
  public Assignment given(List<String> slices) {
    return new Assignment(job.queue().name(), assignment().podSets(), slices, assignment().rung());
  }
}
