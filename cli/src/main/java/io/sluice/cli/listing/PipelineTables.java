// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.RunPage;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Formats the tables of pipelines and runs. */
final class PipelineTables {
  private final Terminal terminal;
  private final Instant now;

  PipelineTables(Terminal terminal, Instant now) {
    this.terminal = terminal;
    this.now = now;
  }

  TextTable pipelines(List<JsonNode> items) {
    TextTable table =
        new TextTable("NAMESPACE", "NAME", "VERSION", "STEPS", "SCHEDULES", "RUNS", "CHANGED");
    for (JsonNode pipeline : items) {
      List<String> schedules = new ArrayList<>();
      for (JsonNode schedule : pipeline.path("spec").path("schedules")) {
        schedules.add(
            schedule.path("cron").asText()
                + (schedule.path("paused").asBoolean() ? " (paused)" : ""));
      }
      JsonNode status = pipeline.path("status");
      table.add(
          pipeline.path("metadata").path("namespace").asText(),
          pipeline.path("metadata").path("name").asText(),
          status.path("version").asText(),
          Integer.toString(pipeline.path("spec").path("steps").size()),
          schedules.isEmpty() ? "-" : String.join(", ", schedules),
          status.path("runs").asText(),
          Age.of(status.path("updatedAt").asText(), now));
    }
    return table;
  }

  TextTable runs(List<JsonNode> items) {
    TextTable table =
        new TextTable(
            "NAMESPACE",
            "NAME",
            "STATE",
            "LOGICAL TIME",
            "BY",
            "TOOK",
            "DEADLINE",
            "AGE",
            "REASON");
    for (JsonNode run : items) {
      table.add(
          run.path("namespace").asText(),
          run.path("name").asText(),
          terminal.state(run.path("state").asText()),
          run.path("logicalTime").asText(),
          run.path("schedule").asText(run.path("createdBy").asText()),
          RunPage.took(run, now),
          run.hasNonNull("deadline") ? RunPage.lateness(terminal, run) : "-",
          Age.of(run.path("createdAt").asText(), now),
          run.path("reason").asText(""));
    }
    return table;
  }

  TextTable backfills(List<JsonNode> items) {
    TextTable table =
        new TextTable(
            "ID",
            "NAMESPACE",
            "SCHEDULE",
            "FROM",
            "TO",
            "STATE",
            "BEGUN",
            "TIMES",
            "AGE",
            "REASON");
    for (JsonNode backfill : items) {
      table.add(
          backfill.path("id").asText(),
          backfill.path("namespace").asText(),
          backfill.path("pipeline").asText() + "/" + backfill.path("schedule").asText(),
          backfill.path("from").asText(),
          backfill.path("to").asText(),
          terminal.state(backfill.path("state").asText()),
          backfill.path("begun").asText(),
          backfill.path("times").asText(),
          Age.of(backfill.path("createdAt").asText(), now),
          backfill.path("reason").asText(""));
    }
    return table;
  }
}
