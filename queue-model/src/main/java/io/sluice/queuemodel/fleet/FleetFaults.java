// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The faults to inject into a virtual fleet: scripted and random ones.
 *
 * @param script in any order
 * @param random null: nothing by chance
 */
public record FleetFaults(List<FleetFault> script, @Nullable RandomFaults random) {
  public FleetFaults {
    script = List.copyOf(script);
  }

  /**
   * Random faults; the same seed on the same fleet yields the same faults.
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
