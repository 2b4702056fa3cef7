// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.quota.Rung;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which flavors an assignment may take.
 *
 * @param rung null: those of every rung
 * @param slicesMustBeFree false: slices need only be in the fleet
 * @param positions where the search through each group's flavors begins
 * @param kept what was found before, of which only the places are looked for anew; none: all is
 * @param prior what counts as held already, of which flavors
 */
record FlavorScope(
    @Nullable Rung rung,
    boolean slicesMustBeFree,
    ScanPositions positions,
    List<PodSetAssignment> kept,
    PriorHolding prior) {
  /** All flavors with free slices. */
  static FlavorScope all(ScanPositions positions, List<PodSetAssignment> kept, PriorHolding prior) {
    return new FlavorScope(null, true, positions, kept, prior);
  }

  /**
   * The flavors that a rung means, with free slices.
   *
   * @param rung null: every rung
   */
  static FlavorScope of(@Nullable Rung rung) {
    return new FlavorScope(rung, true, ScanPositions.START, List.of(), PriorHolding.NONE);
  }

  /** Slices need not be free, and need only be in the fleet. */
  FlavorScope withSlicesInUse() {
    return new FlavorScope(rung, false, positions, kept, prior);
  }
}
