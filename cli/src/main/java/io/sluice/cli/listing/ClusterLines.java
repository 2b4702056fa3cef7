// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Formats the clusters whose nodes are the fleet, and what is left out of it. */
final class ClusterLines {
  private final Terminal terminal;
  private final Instant now;

  ClusterLines(Terminal terminal, Instant now) {
    this.terminal = terminal;
    this.now = now;
  }

  /** Returns a table of the clusters, and a line for each part left out; empty without clusters. */
  List<String> of(JsonNode fleet) {
    List<String> left = new ArrayList<>();
    TextTable table = new TextTable("CLUSTER", "NODES", "STATE", "SINCE");
    for (JsonNode cluster : fleet.path("clusters")) {
      boolean away = cluster.has("unreachableSince");
      table.add(
          cluster.path("name").asText(),
          cluster.path("nodes").asText(),
          away ? terminal.state("UNREACHABLE") : "reached",
          away ? Age.of(cluster.path("unreachableSince").asText(), now) : "-");
      add(cluster.path("refused"), "is not in the fleet", left);
      add(cluster.path("incomplete"), "is not whole", left);
    }
    add(fleet.path("refused"), "is not in the fleet", left);
    if (fleet.path("clusters").isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.addAll(left);
    return lines;
  }

  private static void add(JsonNode reasons, String what, List<String> lines) {
    reasons
        .properties()
        .forEach(one -> lines.add(one.getKey() + " " + what + ": " + one.getValue().asText()));
  }
}
