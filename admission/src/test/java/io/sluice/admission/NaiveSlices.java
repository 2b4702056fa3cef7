// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How many slices could be formed, counted from scratch by the hosts of every slice there is. */
final class NaiveSlices {
  private static final int BOXES_MAX = 64;

  private NaiveSlices() {}

  /**
   * The most slices of a pool, none of which shares a host with what is taken or another.
   *
   * @param closed hosts on which the pods may not be
   */
  static int most(
      AdmissionState state,
      SlicePool pool,
      @Nullable JobId job,
      Set<String> taken,
      Set<String> closed) {
    Set<String> hosts = new TreeSet<>(closed);
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

  /** The hosts of the fleet on which not every pod of a shape may be, one host after another. */
  static Set<String> closedTo(Fleet fleet, WorkloadShape shape) {
    Set<String> closed = new TreeSet<>();
    for (Host host : fleet.hosts()) {
      for (PodSet podSet : shape.podSets()) {
        boolean tolerates =
            host.taints().stream()
                .allMatch(
                    taint -> podSet.tolerations().stream().anyMatch(one -> one.tolerates(taint)));
        boolean selected =
            host.labels().containsAll(podSet.nodeSelector())
                && podSet.affinity().matches(host.labels());
        if (podSet.onSlices() && !(tolerates && selected)) {
          closed.add(host.name());
        }
      }
    }
    return closed;
  }
}
