// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.restmodel.fleet.FleetMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slices of the fleet in short, as of one batch, for callers of every scope.
 *
 * @param revision names it; another server never has the same
 * @param sliceCount of the fleet, of which it may have fewer
 * @param slices by name
 */
record DrawnFleet(String revision, int sliceCount, List<DrawnSlice> slices) {
  DrawnFleet {
    slices = List.copyOf(slices);
  }

  /**
   * A slice.
   *
   * @param kept whether it is kept for the job that it was granted for
   * @param claimant namespace of the job that it is being cleared for; null: there is none
   * @param partly whether the holders hold parts of it only
   */
  record DrawnSlice(
      String name,
      FleetMap.SliceKind kind,
      SliceCondition condition,
      boolean failed,
      boolean kept,
      @Nullable String claimant,
      boolean partly,
      List<DrawnHolder> holders) {
    DrawnSlice {
      holders = List.copyOf(holders);
    }
  }

  /** An attempt that holds a slice or parts of it. */
  record DrawnHolder(
      AttemptKey attempt,
      String name,
      String namespace,
      String team,
      String clusterQueue,
      String state) {}
}
