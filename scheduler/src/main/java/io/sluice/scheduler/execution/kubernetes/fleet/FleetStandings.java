// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How it is with the clusters of a server's fleet, as this server sees them. */
public final class FleetStandings {
  private final @Nullable FleetWatch watch;

  /**
   * Standings that are asked for when they are wanted.
   *
   * @param watch null: nodes of clusters are not the fleet
   */
  public FleetStandings(@Nullable FleetWatch watch) {
    this.watch = watch;
  }

  /** The clusters, the default one first; none where their nodes are not the fleet. */
  public List<FleetWatch.ClusterStanding> clusters() {
    return watch == null ? List.of() : watch.standings();
  }

  /** What keeps a slice from being given, in words; null: nothing that this server sees. */
  public @Nullable String reason(Slice slice) {
    return watch == null ? null : watch.reason(slice);
  }

  /** What is the matter with a host, in words; null: nothing that this server sees. */
  public @Nullable String reason(Host host) {
    return watch == null ? null : watch.reason(host);
  }

  /** The use of a host by pods outside Sluice; null: there are none that this server sees. */
  public @Nullable OutsideUse outside(Host host) {
    return watch == null ? null : watch.outside(host);
  }

  /** Names of hosts and slices that are left out since others have the name, with the reason. */
  public SortedMap<String, String> refused() {
    return watch == null ? new TreeMap<>() : watch.refused();
  }
}
