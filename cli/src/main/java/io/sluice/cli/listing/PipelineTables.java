// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.RunPage;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.pipeline.Backfill;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.pipeline.SavedPipeline;
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

  TextTable pipelines(List<SavedPipeline> items) {
    TextTable table =
        new TextTable("NAMESPACE", "NAME", "VERSION", "STEPS", "SCHEDULES", "RUNS", "CHANGED");
    for (SavedPipeline pipeline : items) {
      List<String> schedules = new ArrayList<>();
      for (JsonNode schedule : JsonRecords.field(pipeline.spec(), "schedules")) {
        schedules.add(
            schedule.path("cron").asText()
                + (schedule.path("paused").asBoolean() ? " (paused)" : ""));
      }
      SavedPipeline.Status status = pipeline.status();
      table.add(
          JsonRecords.field(pipeline.metadata(), "namespace").asText(),
          JsonRecords.field(pipeline.metadata(), "name").asText(),
          Integer.toString(status.version()),
          Integer.toString(JsonRecords.field(pipeline.spec(), "steps").size()),
          schedules.isEmpty() ? "-" : String.join(", ", schedules),
          Long.toString(status.runs()),
          Age.of(status.updatedAt(), now));
    }
    return table;
  }

  TextTable runs(List<Run> items) {
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
    for (Run run : items) {
      table.add(
          run.namespace(),
          run.name(),
          terminal.state(run.state()),
          run.logicalTime().toString(),
          Cell.or(run.schedule(), run.createdBy()),
          RunPage.took(run.startedAt(), run.endedAt(), now),
          run.deadline() == null ? "-" : RunPage.lateness(terminal, run.lateness()),
          Age.of(run.createdAt(), now),
          Cell.orEmpty(run.reason()));
    }
    return table;
  }

  TextTable backfills(List<Backfill> items) {
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
    for (Backfill backfill : items) {
      table.add(
          backfill.id(),
          backfill.namespace(),
          backfill.pipeline() + "/" + backfill.schedule(),
          backfill.from().toString(),
          backfill.to().toString(),
          terminal.state(backfill.state()),
          Integer.toString(backfill.begun()),
          Integer.toString(backfill.times()),
          Age.of(backfill.createdAt(), now),
          Cell.orEmpty(backfill.reason()));
    }
    return table;
  }
}
