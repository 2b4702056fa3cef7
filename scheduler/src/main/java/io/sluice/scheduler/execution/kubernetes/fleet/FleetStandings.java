// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of the fleet's clusters, hosts and slices as this server observes it, for the API. */
public final class FleetStandings {
  private final @Nullable FleetWatch watch;

  /**
   * Creates standings that read the watch on demand.
   *
   * @param watch null: the fleet does not come from nodes of clusters
   */
  public FleetStandings(@Nullable FleetWatch watch) {
    this.watch = watch;
  }

  /**
   * Returns the clusters, the default one first; empty if the fleet does not come from their nodes.
   */
  public List<FleetWatch.ClusterStanding> clusters() {
    return watch == null ? List.of() : watch.standings();
  }

  /** Returns why a slice is not available, for people; null: no reason is observed. */
  public @Nullable String reason(Slice slice) {
    return watch == null ? null : watch.reason(slice);
  }

  /** Returns the problem of a host, for people; null: none is observed. */
  public @Nullable String reason(Host host) {
    return watch == null ? null : watch.reason(host);
  }

  /** Returns the use of a host by pods outside Sluice; null: none is observed. */
  public @Nullable OutsideUse outside(Host host) {
    return watch == null ? null : watch.outside(host);
  }

  /** Returns the reasons of hosts and slices left out because their name is taken, by name. */
  public SortedMap<String, String> refused() {
    return watch == null ? new TreeMap<>() : watch.refused();
  }
}
