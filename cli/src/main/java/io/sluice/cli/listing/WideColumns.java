// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient.Listing;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.fleet.HostView;
import io.sluice.restmodel.job.JobView;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.quota.QuotaObjectView;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds the columns of {@code -o wide}. Kinds that have none look as in their table. */
final class WideColumns {
  private static final String NONE = "-";

  private WideColumns() {}

  /**
   * Adds the columns of a kind.
   *
   * @param items one for each row of the table
   */
  static void add(Kinds kinds, Listing items, TextTable table) {
    switch (kinds) {
      case JOBS -> {
        Adder<JobView> adder = new Adder<>(items.as(JobView.class), table);
        adder.add("ID", JobView::id);
        adder.add("CLUSTERQUEUE", job -> job.status().clusterQueue());
        adder.add("ATTEMPTS", job -> Integer.toString(job.status().attempts()));
        adder.add("SLICES", job -> slices(JsonRecords.field(job.spec(), "accelerator")));
        adder.add("LABELS", job -> pairs(job.metadata().labels()));
      }
      case RUNS -> {
        Adder<Run> adder = new Adder<>(items.as(Run.class), table);
        adder.add("ID", Run::id);
        adder.add("PIPELINE", Run::pipeline);
        adder.add("VERSION", run -> Integer.toString(run.version()));
      }
      case CLUSTER_QUEUES -> {
        Adder<QuotaObjectView> adder = new Adder<>(items.as(QuotaObjectView.class), table);
        adder.add(
            "STRATEGY", queue -> JsonRecords.field(queue.spec(), "queueingStrategy").asText(NONE));
        adder.add("GENERATION", queue -> Long.toString(queue.metadata().generation()));
      }
      case HOSTS -> {
        Adder<HostView> adder = new Adder<>(items.as(HostView.class), table);
        adder.add("REASON", host -> Cell.orDash(host.reason()));
        adder.add("LABELS", host -> pairs(host.labels()));
      }
      case LOCAL_QUEUES,
          COHORTS,
          TOPOLOGIES,
          FLAVORS,
          PRIORITY_CLASSES,
          COMPUTE_CLASSES,
          BOOKINGS,
          OUTAGES,
          TEAMS,
          ROLE_BINDINGS,
          FLEET,
          ALLOCATIONS,
          EVENTS,
          ATTEMPTS,
          PENDING,
          PIPELINES,
          BACKFILLS,
          PLAN,
          ACCURACY -> {}
    }
  }

  private record Adder<T>(List<T> items, TextTable table) {
    void add(String header, Function<T, String> cell) {
      table.addColumn(header, items.stream().map(cell).toList());
    }
  }

  /** Returns the requested slices, as {@code 2 v6e:4x4}. */
  private static String slices(JsonNode wanted) {
    if (!wanted.isObject()) {
      return NONE;
    }
    JsonNode slices = wanted.path("slices");
    String number =
        slices.isObject()
            ? slices.path("min").asText() + ".." + slices.path("max").asText()
            : slices.asText("1");
    return "%s %s:%s"
        .formatted(number, wanted.path("type").asText(), wanted.path("topology").asText());
  }

  private static String pairs(@Nullable Map<String, String> labels) {
    if (labels == null || labels.isEmpty()) {
      return NONE;
    }
    StringJoiner pairs = new StringJoiner(",");
    labels.forEach((key, value) -> pairs.add(key + "=" + value));
    return pairs.toString();
  }
}
