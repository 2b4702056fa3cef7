// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SoughtSlices;
import io.sluice.scheduler.execution.kubernetes.fleet.NodeHealth.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the slices of a fleet that are out of service, and the host that causes it. */
final class SliceLosses {
  private SliceLosses() {}

  /**
   * The loss of a slice.
   *
   * @param host the host with the worst health
   */
  record Loss(String host, NodeHealth health) {}

  /** Returns losses by slice, for observed clusters only; a slice without a loss is well. */
  static SortedMap<String, Loss> of(Fleet fleet, List<ClusterSight> clusters) {
    TreeMap<String, Loss> losses = new TreeMap<>();
    for (ClusterSight sight : clusters) {
      ObservedFleet observed = sight.observed();
      if (observed != null) {
        Map<String, Slice> seen = new HashMap<>();
        observed.slices().forEach(slice -> seen.put(slice.name(), slice));
        for (Slice slice : fleet.slices()) {
          if (isReal(sight.cluster(), slice)) {
            Loss loss = loss(slice, seen.get(slice.name()), observed);
            if (loss != null) {
              losses.put(slice.name(), loss);
            }
          }
        }
      }
    }
    return losses;
  }

  private static boolean isReal(String cluster, Slice slice) {
    return FleetComposition.isOf(cluster, slice.labels()) && !SoughtSlices.isPotential(slice);
  }

  /**
   * Returns why a slice of a cluster is not available, such as {@code node v6e-0-2 is cordoned} or
   * {@code 3 of 4 nodes are there}; null if it is available or of another cluster.
   */
  static @Nullable String reason(Slice slice, String cluster, ObservedFleet observed) {
    if (!isReal(cluster, slice)) {
      return null;
    }
    String pool = observed.incomplete().get(slice.name());
    String whole = pool == null ? observed.refused().get(slice.name()) : pool;
    Loss loss = whole == null ? loss(slice, observed.slice(slice.name()), observed) : null;
    return loss == null ? whole : "node " + loss.host() + " " + loss.health().reason();
  }

  private static @Nullable Loss loss(Slice slice, @Nullable Slice seen, ObservedFleet observed) {
    for (String host : slice.hosts()) {
      if (!observed.nodes().contains(host)) {
        return new Loss(host, NodeHealth.gone("is not there any more"));
      }
    }
    if (seen == null || !isSame(slice, seen)) {
      return new Loss(changedHost(slice, seen), NodeHealth.gone("is of no such slice"));
    }
    Loss worst = null;
    for (String host : slice.hosts()) {
      NodeHealth health = observed.health(host);
      State bound = worst == null ? State.WELL : worst.health().state();
      if (health.state().compareTo(bound) > 0) {
        worst = new Loss(host, health);
      }
    }
    return worst;
  }

  private static String changedHost(Slice slice, @Nullable Slice seen) {
    return slice.hosts().stream()
        .filter(host -> seen == null || !seen.hosts().contains(host))
        .findFirst()
        .orElse(slice.hosts().get(0));
  }

  /**
   * Whether two versions are one slice: labels and terms may change under running pods, hosts and
   * their order may not.
   */
  private static boolean isSame(Slice slice, Slice seen) {
    return slice.hosts().equals(seen.hosts())
        && slice.topology().equals(seen.topology())
        && slice.acceleratorType().equals(seen.acceleratorType());
  }
}
