// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.ObjectNames;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for schedules of pipelines. */
@Command(
    name = "schedule",
    description = "Lists, pauses and resumes schedules of pipelines, and runs backfills.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ScheduleCommand.Listing.class,
      ScheduleCommand.Show.class,
      ScheduleCommand.Upcoming.class,
      ScheduleCommand.Pause.class,
      ScheduleCommand.Resume.class,
      BackfillCommand.class,
      ScheduleCommand.CancelBackfill.class,
      HelpCommand.class
    })
public final class ScheduleCommand {
  private ScheduleCommand() {}

  /** Lists schedules with their next fire. */
  @Command(
      name = "list",
      description = "Lists schedules with their next fire time.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Listing implements Callable<Integer> {
    private static final int MOST = 10_000;

    @Mixin ServerOptions server;

    @Option(
        names = {"-n", "--namespace"},
        paramLabel = "NS",
        description = "Only schedules of this namespace. Default: all namespaces.")
    @Nullable String namespace;

    @Parameters(
        arity = "0..1",
        paramLabel = "PIPELINE",
        description = "Only schedules of this pipeline. Default: all pipelines.")
    @Nullable String pipeline;

    @Override
    public Integer call() {
      Map<String, @Nullable String> filter = new LinkedHashMap<>();
      filter.put("namespace", namespace);
      filter.put("pipeline", pipeline);
      List<JsonNode> found =
          server.client().list(ServerClient.query("/v1/schedules", filter), MOST);
      TextTable table =
          new TextTable("NAMESPACE", "SCHEDULE", "CRON", "TIME ZONE", "NEXT", "MISSED");
      for (JsonNode schedule : found) {
        table.add(
            schedule.path("namespace").asText(),
            schedule.path("pipeline").asText() + "/" + schedule.path("name").asText(),
            schedule.path("cron").asText(),
            schedule.path("timeZone").asText(),
            next(schedule),
            schedule.path("missed").asText());
      }
      Terminal.standard().print(table.lines());
      return 0;
    }
  }

  private static String next(JsonNode schedule) {
    return schedule.path("paused").asBoolean()
        ? "paused"
        : schedule.path("nextTime").asText("never again");
  }

  /** Shows a schedule with its next fires. */
  @Command(
      name = "show",
      description = "Shows a schedule with its next fire times, even if it is paused.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Show implements Callable<Integer> {
    @Mixin ScheduleOptions options;

    @Option(
        names = "--upcoming",
        paramLabel = "N",
        defaultValue = "5",
        description = "Number of fire times to show, 0 to 1000. Default: ${DEFAULT-VALUE}.")
    int upcoming;

    @Override
    public Integer call() {
      ServerClient client = options.client();
      String path = options.path(client, NameLookup.Purpose.READ);
      JsonNode schedule = client.get(path + "?upcoming=" + upcoming);
      Terminal terminal = Terminal.standard();
      terminal.print(
          "%s in %s, concurrencyPolicy %s, misfirePolicy %s, saved by %s"
              .formatted(
                  schedule.path("cron").asText(),
                  schedule.path("timeZone").asText(),
                  schedule.path("concurrencyPolicy").asText(),
                  schedule.path("misfirePolicy").asText(),
                  schedule.path("savedBy").asText()));
      terminal.print(
          "next: "
              + next(schedule)
              + (schedule.has("dueAt") ? ", due at " + schedule.path("dueAt").asText() : ""));
      if (schedule.has("missedReason")) {
        terminal.print(
            "missed: %s in all, %s ago %s"
                .formatted(
                    schedule.path("missed").asText(),
                    Age.of(schedule.path("missedAt").asText(), Instant.now()),
                    schedule.path("missedReason").asText()));
      }
      schedule.path("upcoming").forEach(time -> terminal.print("  " + time.asText()));
      return 0;
    }
  }

  /** Lists the runs that schedules will start. */
  @Command(
      name = "upcoming",
      description =
          "Lists the runs that schedules will start, with the jobs that they will submit.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Upcoming implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Option(
        names = "--within",
        paramLabel = "TIME",
        defaultValue = "24h",
        description = "Time ahead, at most 168h. Default: ${DEFAULT-VALUE}.")
    String within;

    @Option(
        names = {"-n", "--namespace"},
        paramLabel = "NS",
        description = "Only schedules of this namespace. Default: all namespaces.")
    @Nullable String namespace;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "100",
        description = "Maximum number of runs to show. Default: ${DEFAULT-VALUE}.")
    int limit;

    @Parameters(
        arity = "0..1",
        paramLabel = "PIPELINE",
        description = "Only schedules of this pipeline. Default: all pipelines.")
    @Nullable String pipeline;

    @Override
    public Integer call() {
      Map<String, @Nullable String> filter = new LinkedHashMap<>();
      filter.put("namespace", namespace);
      filter.put("pipeline", pipeline);
      filter.put("within", within);
      filter.put("limit", Integer.toString(limit));
      JsonNode answer = server.client().get(ServerClient.query("/v1/schedules/upcoming", filter));
      TextTable table =
          new TextTable("DUE", "NAMESPACE", "SCHEDULE", "LOGICAL TIME", "VERSION", "FIRST JOBS");
      for (JsonNode run : answer.path("items")) {
        table.add(
            run.path("dueAt").asText(),
            run.path("namespace").asText(),
            run.path("pipeline").asText() + "/" + run.path("schedule").asText(),
            run.path("logicalTime").asText(),
            run.path("version").asText(),
            firstJobs(run));
      }
      Terminal terminal = Terminal.standard();
      terminal.print(answer.path("items").isEmpty() ? List.of("nothing found") : table.lines());
      if (answer.path("items").size() == limit) {
        terminal.print("There may be more from " + answer.path("until").asText() + " on.");
      }
      return 0;
    }

    /** Returns the requests of the steps without dependencies. */
    private static String firstJobs(JsonNode run) {
      StringJoiner jobs = new StringJoiner(", ");
      for (JsonNode job : run.path("jobs")) {
        if (job.path("first").asBoolean()) {
          jobs.add(
              job.has("unknown")
                  ? job.path("step").asText() + ": not known"
                  : "%s: %s to %s"
                      .formatted(
                          job.path("step").asText(),
                          job.path("count").asText(),
                          job.path("queue")
                              .asText("the queue of class " + job.path("class").asText())));
        }
      }
      return jobs.toString();
    }
  }

  private static void ask(ScheduleOptions options, String wish, String doing) {
    ServerClient client = options.client();
    String path = options.path(client, NameLookup.Purpose.CHANGE);
    JsonNode schedule = client.post(path + "/" + wish);
    System.out.println(
        "schedule/%s/%s %s"
                .formatted(
                    schedule.path("pipeline").asText(), schedule.path("name").asText(), doing)
            + (schedule.has("nextTime") ? " " + schedule.path("nextTime").asText() : ""));
  }

  /** Cancels a backfill. */
  @Command(
      name = "cancel-backfill",
      description = "Cancels a backfill and its active runs.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class CancelBackfill implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Parameters(
        paramLabel = "ID",
        description = "Id of the backfill, as shown by sluice get backfills.")
    String written;

    @Override
    public Integer call() {
      String id = ObjectNames.withoutKind(Kinds.BACKFILLS, written);
      JsonNode backfill =
          server.client().post("/v1/backfills/" + ServerClient.encode(id) + "/cancel");
      System.out.println("backfill/" + id + " " + backfill.path("state").asText());
      return 0;
    }
  }

  /** Pauses a schedule. */
  @Command(
      name = "pause",
      description = "Pauses a schedule: it does not fire until it is resumed. Its runs continue.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Pause implements Callable<Integer> {
    @Mixin ScheduleOptions options;

    @Override
    public Integer call() {
      ask(options, "pause", "is paused");
      return 0;
    }
  }

  /** Resumes a schedule. */
  @Command(
      name = "resume",
      description = "Resumes a paused schedule. Fires during the pause are not made up for.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Resume implements Callable<Integer> {
    @Mixin ScheduleOptions options;

    @Override
    public Integer call() {
      ask(options, "resume", "fires next for");
      return 0;
    }
  }
}
