// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.quota.Rung;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flavors that an assignment may use.
 *
 * @param rung null for the flavors of all rungs
 * @param slicesMustBeFree false if slices need only exist in the fleet
 * @param quotaMustBeFree false if quota need only exist
 * @param positions where the search through each group's flavors begins
 * @param kept assignments whose flavors are kept while places are searched again; empty for none
 * @param prior quota already held, with its flavors
 */
record FlavorScope(
    @Nullable Rung rung,
    boolean slicesMustBeFree,
    boolean quotaMustBeFree,
    ScanPositions positions,
    List<PodSetAssignment> kept,
    PriorHolding prior) {
  /** Returns the scope of all flavors with free slices. */
  static FlavorScope all(ScanPositions positions, List<PodSetAssignment> kept, PriorHolding prior) {
    return new FlavorScope(null, true, true, positions, kept, prior);
  }

  /**
   * Returns the scope of a rung's flavors, with free slices.
   *
   * @param rung null for all rungs
   */
  static FlavorScope of(@Nullable Rung rung) {
    return new FlavorScope(rung, true, true, ScanPositions.START, List.of(), PriorHolding.NONE);
  }

  /** Returns a scope in which slices need only exist in the fleet. */
  FlavorScope withSlicesInUse() {
    return new FlavorScope(rung, false, quotaMustBeFree, positions, kept, prior);
  }

  /** Returns the scope of given flavors, in which quota and slices need only exist. */
  static FlavorScope inUse(@Nullable Rung rung, List<PodSetAssignment> kept) {
    return new FlavorScope(rung, false, false, ScanPositions.START, kept, PriorHolding.NONE);
  }
}
