// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import io.sluice.cli.client.ServerClient.Listing;
import io.sluice.cli.output.Amounts;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.fleet.FleetOverview;
import io.sluice.restmodel.fleet.SliceView;
import io.sluice.restmodel.quota.QueueStatus;
import io.sluice.restmodel.quota.QueueStatus.FlavorUsage;
import io.sluice.restmodel.quota.QueueStatus.ResourceUsage;
import io.sluice.restmodel.quota.QuotaObjectView;
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

    private void add(SliceView slice) {
      boolean isHeld = slice.heldBy() != null || slice.formed() != null;
      long size = slice.chips();
      all++;
      chips += size;
      if (isHeld) {
        held++;
        chipsHeld += size;
      } else if (slice.condition().equals("ABSENT")) {
        absent++;
      }
    }
  }

  List<String> lines(FleetOverview fleet, Listing slices, Listing queues) {
    List<String> lines = new ArrayList<>();
    int failed = fleet.hostsFailed();
    String failures = failed + " failed";
    lines.add(
        "%s  %d slices  %d hosts, %s"
            .formatted(
                now.truncatedTo(ChronoUnit.SECONDS),
                fleet.sliceCount().all(),
                fleet.hosts(),
                failed == 0 ? failures : terminal.styled(Terminal.Style.RED, failures)));
    if (!slices.items().isEmpty()) {
      lines.add("");
      lines.addAll(fleet(slices.as(SliceView.class)).lines());
    }
    if (slices.more()) {
      lines.add("These are the first %d slices only.".formatted(slices.items().size()));
    }
    lines.add("");
    lines.addAll(
        queues.items().isEmpty()
            ? List.of("no ClusterQueues")
            : queues(queues.as(QuotaObjectView.class)).lines());
    if (queues.more()) {
      lines.add("There are more ClusterQueues; --limit N shows more.");
    }
    return lines;
  }

  private TextTable fleet(List<SliceView> slices) {
    Map<List<String>, Group> groups = new TreeMap<>((a, b) -> key(a).compareTo(key(b)));
    for (SliceView slice : slices) {
      List<String> kind = List.of(slice.type(), slice.topology(), slice.capacityType());
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

  private TextTable queues(List<QuotaObjectView> queues) {
    TextTable table =
        new TextTable(
            "CLUSTERQUEUE",
            "PENDING",
            "ADMITTED",
            "FLAVOR",
            "RESOURCE",
            "USED/NOMINAL",
            "BORROWED");
    for (QuotaObjectView queue : queues) {
      QueueStatus status = queue.status();
      String name = queue.metadata().name();
      String pending = Cell.orDash(status == null ? null : status.pendingWorkloads());
      String admitted = Cell.orDash(status == null ? null : status.admittedWorkloads());
      List<FlavorUsage> flavors = status == null ? null : status.flavorsUsage();
      int rows = table.size();
      for (FlavorUsage flavor : flavors == null ? List.<FlavorUsage>of() : flavors) {
        for (ResourceUsage resource : flavor.resources()) {
          boolean first = table.size() == rows;
          table.add(
              first ? name : "",
              first ? waits(pending) : "",
              first ? admitted : "",
              flavor.name(),
              resource.name(),
              Amounts.shown(resource.total(), resource.name())
                  + "/"
                  + Amounts.shown(resource.nominal(), resource.name()),
              Amounts.shown(resource.borrowed(), resource.name()));
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
