// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.output.PlannedWords;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.explanation.JobExplanation;
import io.sluice.restmodel.explanation.JobPlannedStart;
import io.sluice.restmodel.job.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The planned starts of jobs: what was said while they waited, and when they started. */
final class StartDates {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

  /**
   * A start that came after a planned one.
   *
   * @param planned the time first planned
   * @param firm whether it was within the queue's own quota
   */
  record Kept(String job, Instant planned, boolean firm, Instant started) {
    boolean late() {
      return started.isAfter(planned);
    }
  }

  private StartDates() {}

  /** Returns why each waiting job waits, and its planned start. */
  static List<String> waiting(ServerClient client, List<StoryJob> jobs) {
    List<String> lines = new ArrayList<>();
    for (StoryJob job : jobs) {
      JobExplanation why =
          client.get("/v1/jobs/" + job.id() + "/explanation", JobExplanation.class);
      if (why.blocker() != null) {
        JobPlannedStart planned = why.plannedStart();
        lines.add("  %s waits: %s".formatted(job.name(), why.reason()));
        lines.add(
            "    starts at the latest "
                + (planned == null
                    ? "after the jobs before it"
                    : PlannedWords.sentence(planned, Instant.now())));
      }
    }
    return lines;
  }

  /** Returns the starts of jobs that had a planned start, in the order of the jobs. */
  static List<Kept> kept(ServerClient client, List<StoryJob> jobs) {
    List<Kept> kept = new ArrayList<>();
    for (StoryJob job : jobs) {
      addKept(job.name(), StoryJob.events(client, job), kept);
    }
    return kept;
  }

  private static void addKept(String job, List<JobEvent> events, List<Kept> into) {
    JsonNode first = null;
    for (JobEvent event : events) {
      switch (event.kind()) {
        case "StartPlanned" -> {
          JsonNode planned = JsonRecords.field(event.body(), "planned");
          first = first == null && planned.hasNonNull("at") ? planned : first;
        }
        case "PlanWithdrawn" -> first = null;
        case "Admitted" -> {
          if (first != null) {
            Instant at = Instant.parse(first.path("at").asText());
            into.add(new Kept(job, at, first.path("firm").asBoolean(), event.at()));
          }
          first = null;
        }
        default -> {
          // Says nothing of starts.
        }
      }
    }
  }

  /** Returns a table of planned and real starts. */
  static List<String> table(List<Kept> kept) {
    TextTable table = new TextTable("JOB", "PLANNED AT THE LATEST", "STARTED", "DIFFERENCE");
    for (Kept one : kept) {
      table.add(
          one.job(),
          TIME.format(one.planned()) + (one.firm() ? "" : " unless reclaimed"),
          TIME.format(one.started()),
          difference(Duration.between(one.planned(), one.started())));
    }
    return table.lines();
  }

  private static String difference(Duration late) {
    return late.isNegative()
        ? late.negated().toSeconds() + " s earlier"
        : late.toSeconds() + " s later";
  }
}
