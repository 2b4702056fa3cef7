// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What befalls a virtual fleet: by a script, and by chance.
 *
 * @param script in any order
 * @param random null: nothing by chance
 */
public record FleetFaults(List<FleetFault> script, @Nullable RandomFaults random) {
  public FleetFaults {
    script = List.copyOf(script);
  }

  /**
   * Faults that are drawn; the same seed on the same fleet draws the same.
   *
   * @param meanTimeBetweenReclaims of all spot slices together; null: none is taken back
   * @param notice of each reclaim
   * @param meanTimeBetweenHostFailures of all hosts together; null: none fails
   * @param timeToReturn after which a slice or host is back
   */
  public record RandomFaults(
      long seed,
      @Nullable Duration meanTimeBetweenReclaims,
      Duration notice,
      @Nullable Duration meanTimeBetweenHostFailures,
      Duration timeToReturn) {}
}
