// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient.Listing;
import io.sluice.cli.output.Amounts;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Formats the use of the fleet and of the queues. */
final class TopPage {
  private static final int PERCENT = 100;

  private final Terminal terminal;
  private final Instant now;

  TopPage(Terminal terminal, Instant now) {
    this.terminal = terminal;
    this.now = now;
  }

  /** The slices of one type, topology and capacity type. */
  private static final class Group {
    private int all;
    private int held;
    private int absent;
    private long chips;
    private long chipsHeld;

    private void add(JsonNode slice) {
      boolean isHeld = slice.has("heldBy") || slice.has("formed");
      long size = slice.path("chips").asLong();
      all++;
      chips += size;
      if (isHeld) {
        held++;
        chipsHeld += size;
      } else if (slice.path("condition").asText().equals("ABSENT")) {
        absent++;
      }
    }
  }

  List<String> lines(JsonNode fleet, Listing slices, Listing queues) {
    List<String> lines = new ArrayList<>();
    int failed = fleet.path("hostsFailed").asInt();
    String failures = failed + " failed";
    lines.add(
        "%s  %d slices  %d hosts, %s"
            .formatted(
                now.truncatedTo(ChronoUnit.SECONDS),
                fleet.path("sliceCount").path("all").asInt(),
                fleet.path("hosts").asInt(),
                failed == 0 ? failures : terminal.styled(Terminal.Style.RED, failures)));
    if (!slices.items().isEmpty()) {
      lines.add("");
      lines.addAll(fleet(slices.items()).lines());
    }
    if (slices.more()) {
      lines.add("These are the first %d slices only.".formatted(slices.items().size()));
    }
    lines.add("");
    lines.addAll(
        queues.items().isEmpty() ? List.of("no ClusterQueues") : queues(queues.items()).lines());
    if (queues.more()) {
      lines.add("There are more ClusterQueues; --limit N shows more.");
    }
    return lines;
  }

  private TextTable fleet(List<JsonNode> slices) {
    Map<List<String>, Group> groups = new TreeMap<>((a, b) -> key(a).compareTo(key(b)));
    for (JsonNode slice : slices) {
      List<String> kind =
          List.of(
              slice.path("type").asText(),
              slice.path("topology").asText(),
              slice.path("capacityType").asText());
      groups.computeIfAbsent(kind, any -> new Group()).add(slice);
    }
    TextTable table =
        new TextTable("TYPE", "TOPOLOGY", "CAPACITY", "SLICES", "HELD", "FREE", "ABSENT", "CHIPS");
    groups.forEach(
        (kind, group) ->
            table.add(
                kind.get(0),
                kind.get(1),
                kind.get(2),
                Integer.toString(group.all),
                Integer.toString(group.held),
                Integer.toString(group.all - group.held - group.absent),
                Integer.toString(group.absent),
                "%d/%d (%d%%)"
                    .formatted(
                        group.chipsHeld,
                        group.chips,
                        group.chips == 0 ? 0 : group.chipsHeld * PERCENT / group.chips)));
    return table;
  }

  private static String key(List<String> kind) {
    return String.join("\n", kind);
  }

  private TextTable queues(List<JsonNode> queues) {
    TextTable table =
        new TextTable(
            "CLUSTERQUEUE",
            "PENDING",
            "ADMITTED",
            "FLAVOR",
            "RESOURCE",
            "USED/NOMINAL",
            "BORROWED");
    for (JsonNode queue : queues) {
      JsonNode status = queue.path("status");
      String name = queue.path("metadata").path("name").asText();
      String pending = status.path("pendingWorkloads").asText("-");
      String admitted = status.path("admittedWorkloads").asText("-");
      int rows = table.size();
      for (JsonNode flavor : status.path("flavorsUsage")) {
        for (JsonNode resource : flavor.path("resources")) {
          boolean first = table.size() == rows;
          table.add(
              first ? name : "",
              first ? waits(pending) : "",
              first ? admitted : "",
              flavor.path("name").asText(),
              resource.path("name").asText(),
              Amounts.shown(resource.path("total"), resource.path("name"))
                  + "/"
                  + Amounts.shown(resource.path("nominal"), resource.path("name")),
              Amounts.shown(resource.path("borrowed"), resource.path("name")));
        }
      }
      if (table.size() == rows) {
        table.add(name, waits(pending), admitted, "-", "-", "-", "-");
      }
    }
    return table;
  }

  private String waits(String pending) {
    boolean none = pending.equals("0") || pending.equals("-");
    return none ? pending : terminal.styled(Terminal.Style.YELLOW, pending);
  }
}
