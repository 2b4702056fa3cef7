// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rung that waits is to be given.
 *
 * @param name tells it from all others, those of the same rung at another time among them; part of
 *     names of objects
 * @param namespace of the job
 * @param there slices that are there, absent to the engine, and well
 * @param coming how many more have to be called for
 * @param flavor by which these are called for; null if none has to be
 * @param hosts of each slice
 * @param longestRun of an attempt on that rung; null: it has none
 */
record Want(
    RungKey rung,
    String name,
    String namespace,
    List<String> there,
    int coming,
    @Nullable String flavor,
    String type,
    SliceTopology topology,
    int hosts,
    @Nullable Duration longestRun) {
  Want {
    there = List.copyOf(there);
  }

  /** How many slices in all. */
  int slices() {
    return there.size() + coming;
  }
}
