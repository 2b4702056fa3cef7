// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.JobId;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How many slices could be formed, counted from scratch by the hosts of every slice there is. */
final class NaiveSlices {
  private static final int BOXES_MAX = 64;

  private NaiveSlices() {}

  /** The most slices of a pool, none of which shares a host with what is taken or another. */
  static int most(AdmissionState state, SlicePool pool, @Nullable JobId job, Set<String> taken) {
    Set<String> hosts = new TreeSet<>();
    for (String name : taken) {
      Slice slice = state.slices().find(name);
      if (slice != null) {
        hosts.addAll(slice.hosts());
      }
    }
    SliceTopology wanted = pool.topology();
    TreeMap<String, Integer> wholeInBlock = new TreeMap<>();
    int most = 0;
    for (Slice slice : state.slices().all()) {
      boolean ready = state.slices().standings().readyFor(slice.name(), job);
      if (!ready
          || !slice.acceleratorType().equals(pool.type())
          || !state.slices().flavorsOf(slice.name()).contains(pool.flavor())) {
        continue;
      }
      if (slice.topology().equals(wanted)) {
        most += free(slice, hosts) ? 1 : 0;
      } else if (slice.topology().divides(wanted) && slice.forming().block() != null) {
        wholeInBlock.merge(slice.forming().block(), free(slice, hosts) ? 1 : 0, Integer::sum);
      }
      for (int box = 0; box < BOXES_MAX; box++) {
        Slice part = state.slices().find(slice.name() + "/" + wanted + "-" + box);
        most += part != null && free(part, hosts) ? 1 : 0;
      }
    }
    for (int whole : wholeInBlock.values()) {
      most += (int) (whole * 16L / pool.hosts());
    }
    return most;
  }

  private static boolean free(Slice slice, Set<String> taken) {
    return slice.hosts().stream().noneMatch(taken::contains);
  }
}
