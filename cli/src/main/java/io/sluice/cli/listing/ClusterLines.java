// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import io.sluice.cli.output.Age;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.fleet.FleetOverview;
import io.sluice.restmodel.fleet.FleetOverview.FleetCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats the clusters whose nodes are the fleet, and what is left out of it. */
final class ClusterLines {
  private final Terminal terminal;
  private final Instant now;

  ClusterLines(Terminal terminal, Instant now) {
    this.terminal = terminal;
    this.now = now;
  }

  /** Returns a table of the clusters, and a line for each part left out; empty without clusters. */
  List<String> of(FleetOverview fleet) {
    List<FleetCluster> clusters = fleet.clusters();
    if (clusters == null || clusters.isEmpty()) {
      return List.of();
    }
    List<String> left = new ArrayList<>();
    TextTable table = new TextTable("CLUSTER", "NODES", "STATE", "SINCE");
    for (FleetCluster cluster : clusters) {
      Instant away = cluster.unreachableSince();
      table.add(
          cluster.name(),
          Integer.toString(cluster.nodes()),
          away == null ? "reached" : terminal.state("UNREACHABLE"),
          away == null ? "-" : Age.of(away, now));
      add(cluster.refused(), "is not in the fleet", left);
      add(cluster.incomplete(), "is not whole", left);
    }
    add(fleet.refused(), "is not in the fleet", left);
    List<String> lines = new ArrayList<>(table.lines());
    lines.addAll(left);
    return lines;
  }

  private static void add(@Nullable Map<String, String> reasons, String what, List<String> lines) {
    if (reasons != null) {
      reasons.forEach((part, reason) -> lines.add(part + " " + what + ": " + reason));
    }
  }
}
