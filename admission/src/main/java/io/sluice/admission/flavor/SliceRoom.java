// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.topology.Refusals;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceName;
import org.jspecify.annotations.Nullable;

/**
 * Whether a flavor has the slices that a job requests.
 *
 * @param obstacle null if there are enough
 */
record SliceRoom(Amount amount, @Nullable Obstacle obstacle) {
  /** How the available slices compare with the request. */
  enum Amount {
    ENOUGH,
    IN_USE,
    TOO_FEW
  }

  private static final SliceRoom ENOUGH = new SliceRoom(Amount.ENOUGH, null);

  /**
   * Returns the room for a job; always enough for resources that are not accelerators.
   *
   * @param wanted number of slices requested
   * @param mustBeFree false if slices need only exist in the fleet
   */
  static SliceRoom of(
      AdmissionState state,
      JobEntry job,
      PodSet podSet,
      String flavor,
      ResourceName resource,
      int wanted,
      boolean mustBeFree) {
    WorkloadShape shape = job.workload().shape();
    if (shape.accelerator() == null || !resource.equals(ResourceName.TPU)) {
      return ENOUGH;
    }
    SlicePool offered = SlicePool.of(flavor, shape);
    int there = state.slices().mostOf(offered);
    int free = state.slices().countFree(offered, job.id());
    if ((mustBeFree ? free : there) >= wanted) {
      return ENOUGH;
    }
    boolean tooFew = there < wanted;
    Refusals refusals = state.slices().refusals(offered);
    boolean refused = tooFew && refusals.slices() >= wanted;
    Obstacle.Kind tooFewKind =
        refused ? Obstacle.Kind.NO_MATCHING_SLICES : Obstacle.Kind.TOO_FEW_SLICES;
    boolean absent = state.slices().presentOf(offered) < wanted;
    boolean scattered = state.slices().scattered(offered, wanted, job.id());
    Obstacle.Kind taken = scattered ? Obstacle.Kind.SLICES_SCATTERED : Obstacle.Kind.SLICES_IN_USE;
    Obstacle.Kind inUse = absent ? Obstacle.Kind.SLICES_ABSENT : taken;
    Obstacle obstacle =
        new Obstacle(
            tooFew ? tooFewKind : inUse,
            podSet.name(),
            flavor,
            resource,
            wanted,
            free,
            there,
            refusals.unmet().isEmpty() ? null : refusals);
    return new SliceRoom(tooFew ? Amount.TOO_FEW : Amount.IN_USE, obstacle);
  }
}
