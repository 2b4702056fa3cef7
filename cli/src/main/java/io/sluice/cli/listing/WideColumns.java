// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.output.TextTable;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;

/** Adds the columns of {@code -o wide}. Kinds that have none look as in their table. */
final class WideColumns {
  private static final String NONE = "-";

  private WideColumns() {}

  /**
   * Adds the columns of a kind.
   *
   * @param items one for each row of the table
   */
  static void add(Kinds kinds, List<JsonNode> items, TextTable table) {
    Adder adder = new Adder(items, table);
    switch (kinds) {
      case JOBS -> {
        adder.add("ID", job -> text(job.path("id")));
        adder.add("CLUSTERQUEUE", job -> text(job.path("status").path("clusterQueue")));
        adder.add("ATTEMPTS", job -> text(job.path("status").path("attempts")));
        adder.add("SLICES", WideColumns::slices);
        adder.add("LABELS", job -> pairs(job.path("metadata").path("labels")));
      }
      case RUNS -> {
        adder.add("ID", run -> text(run.path("id")));
        adder.add("PIPELINE", run -> text(run.path("pipeline")));
        adder.add("VERSION", run -> text(run.path("version")));
      }
      case CLUSTER_QUEUES -> {
        adder.add("STRATEGY", queue -> text(queue.path("spec").path("queueingStrategy")));
        adder.add("GENERATION", queue -> text(queue.path("metadata").path("generation")));
      }
      case HOSTS -> {
        adder.add("REASON", host -> text(host.path("reason")));
        adder.add("LABELS", host -> pairs(host.path("labels")));
      }
      case LOCAL_QUEUES,
          COHORTS,
          TOPOLOGIES,
          FLAVORS,
          PRIORITY_CLASSES,
          COMPUTE_CLASSES,
          FLEET,
          ALLOCATIONS,
          EVENTS,
          ATTEMPTS,
          PENDING,
          PIPELINES,
          BACKFILLS -> {}
    }
  }

  private record Adder(List<JsonNode> items, TextTable table) {
    void add(String header, Function<JsonNode, String> cell) {
      table.addColumn(header, items.stream().map(cell).toList());
    }
  }

  private static String text(JsonNode value) {
    return value.isNull() ? NONE : value.asText(NONE);
  }

  /** Returns the requested slices, as {@code 2 v6e:4x4}. */
  private static String slices(JsonNode job) {
    JsonNode wanted = job.path("spec").path("accelerator");
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

  private static String pairs(JsonNode labels) {
    StringJoiner pairs = new StringJoiner(",");
    pairs.setEmptyValue(NONE);
    labels.properties().forEach(one -> pairs.add(one.getKey() + "=" + one.getValue().asText()));
    return pairs.toString();
  }
}
