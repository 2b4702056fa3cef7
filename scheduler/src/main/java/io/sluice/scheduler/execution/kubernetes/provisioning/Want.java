// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slices to provide for a waiting rung.
 *
 * @param name unique name, also among wants of the same rung at other times; part of object names
 * @param namespace the job's namespace
 * @param there healthy slices that exist and that the engine has as absent
 * @param coming number of slices to request
 * @param flavor flavor for the requested slices; null if there are none
 * @param hosts number of hosts per slice
 * @param longestRun the longest run of an attempt on that rung; null: unlimited
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

  /** Returns the total number of slices. */
  int slices() {
    return there.size() + coming;
  }
}
