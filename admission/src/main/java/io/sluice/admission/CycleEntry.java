// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.state.JobEntry;
import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A head with what was found for it.
 *
 * @param victims who must go for it; null: nobody, or nobody may be made to
 * @param fillers what it fits into if it is taken back; null: nothing is
 */
record CycleEntry(
    JobEntry job,
    FlavorAssignment assignment,
    @Nullable Victims victims,
    @Nullable TakenFillers fillers)
    implements EntryOrder.Orderable {
  CycleEntry(JobEntry job, FlavorAssignment assignment, @Nullable Victims victims) {
    this(job, assignment, victims, null);
  }

  @Override
  public Workload workload() {
    return job.workload();
  }

  @Override
  public int borrowingLevel() {
    return assignment.borrowingLevel();
  }

  @Override
  public boolean preemptor() {
    return victims != null;
  }

  /** Whether it fits without anybody going, at once or once fillers have been taken back. */
  boolean fits() {
    return assignment.mode() == AssignmentMode.FIT;
  }

  RoomNeed need() {
    RoomNeed need = assignment.need();
    if (need == null) {
      throw new IllegalStateException("nothing fits " + job);
    }
    return need;
  }

  /** What it is given, with these slices. */
  Assignment given(List<String> slices) {
    return new Assignment(job.queue().name(), assignment.podSets(), slices, assignment.rung());
  }

  CycleEntry with(@Nullable Victims other) {
    return new CycleEntry(job, assignment, other);
  }
}
