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
 * A head with its nomination. If the head is known to fit, only its usage may be known; the rest is
 * found when it is served and there is still room.
 *
 * @param found flavors found; null if not searched yet
 * @param usage amounts to use; null if nothing fits
 * @param borrowingLevel height of the lowest subtree that covers the usage; 0 for the queue alone
 * @param victims attempts and claims to preempt; null if none are needed or none may be preempted
 * @param fillers fillers to take back so that it fits; null if none
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

  /** Creates an entry for a head that is known to fit and has no flavors yet. */
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

  /** Returns whether the flavors are not found yet. */
  boolean foreseen() {
    return found == null;
  }

  /**
   * Returns the flavors found.
   *
   * @throws IllegalStateException if the entry is {@link #foreseen}
   */
  public FlavorAssignment assignment() {
    if (found == null) {
      throw new IllegalStateException("no flavors were assigned yet to job " + job);
    }
    return found;
  }

  /** Returns whether it fits without preemption, at once or once fillers are taken back. */
  boolean fits() {
    return found == null || found.mode() == AssignmentMode.FIT;
  }

  /** Returns the amounts to use. Requires that something fits. */
  Usage taken() {
    if (usage == null) {
      throw new IllegalStateException("no flavors fit job " + job);
    }
    return usage;
  }

  public RoomNeed need() {
    RoomNeed need = assignment().need();
    if (need == null) {
      throw new IllegalStateException("no flavors fit job " + job);
    }
    return need;
  }

  /** Returns its assignment with these slices. */
  public Assignment given(List<String> slices) {
    return new Assignment(job.queue().name(), assignment().podSets(), slices, assignment().rung());
  }
}
