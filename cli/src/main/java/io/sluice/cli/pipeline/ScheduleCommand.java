// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.ObjectNames;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.pipeline.Backfill;
import io.sluice.restmodel.pipeline.PipelineSchedule;
import io.sluice.restmodel.pipeline.UpcomingRunList;
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
      List<PipelineSchedule> found =
          server
              .client()
              .list(ServerClient.query("/v1/schedules", filter), MOST, PipelineSchedule.class);
      TextTable table =
          new TextTable("NAMESPACE", "SCHEDULE", "CRON", "TIME ZONE", "NEXT", "MISSED");
      for (PipelineSchedule schedule : found) {
        table.add(
            schedule.namespace(),
            schedule.pipeline() + "/" + schedule.name(),
            schedule.cron(),
            schedule.timeZone(),
            next(schedule),
            Long.toString(schedule.missed()));
      }
      Terminal.standard().print(table.lines());
      return 0;
    }
  }

  private static String next(PipelineSchedule schedule) {
    return schedule.paused() ? "paused" : Cell.or(schedule.nextTime(), "never again");
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
      PipelineSchedule schedule =
          client.get(path + "?upcoming=" + upcoming, PipelineSchedule.class);
      Terminal terminal = Terminal.standard();
      terminal.print(
          "%s in %s, concurrencyPolicy %s, misfirePolicy %s, saved by %s"
              .formatted(
                  schedule.cron(),
                  schedule.timeZone(),
                  schedule.concurrencyPolicy(),
                  schedule.misfirePolicy(),
                  schedule.savedBy()));
      terminal.print(
          "next: "
              + next(schedule)
              + (schedule.dueAt() == null ? "" : ", due at " + schedule.dueAt()));
      if (schedule.missedReason() != null) {
        terminal.print(
            "missed: %d in all, %s ago %s"
                .formatted(
                    schedule.missed(),
                    Age.of(schedule.missedAt(), Instant.now()),
                    schedule.missedReason()));
      }
      List<Instant> times = schedule.upcoming();
      if (times != null) {
        times.forEach(time -> terminal.print("  " + time));
      }
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
      UpcomingRunList answer =
          server
              .client()
              .get(ServerClient.query("/v1/schedules/upcoming", filter), UpcomingRunList.class);
      TextTable table =
          new TextTable("DUE", "NAMESPACE", "SCHEDULE", "LOGICAL TIME", "VERSION", "FIRST JOBS");
      for (UpcomingRunList.Upcoming run : answer.items()) {
        table.add(
            run.dueAt().toString(),
            run.namespace(),
            run.pipeline() + "/" + run.schedule(),
            run.logicalTime().toString(),
            Integer.toString(run.version()),
            firstJobs(run));
      }
      Terminal terminal = Terminal.standard();
      terminal.print(answer.items().isEmpty() ? List.of("nothing found") : table.lines());
      if (answer.items().size() == limit) {
        terminal.print("There may be more from " + answer.until() + " on.");
      }
      return 0;
    }

    /** Returns the requests of the steps without dependencies. */
    private static String firstJobs(UpcomingRunList.Upcoming run) {
      StringJoiner jobs = new StringJoiner(", ");
      for (UpcomingRunList.StepJobs job : run.jobs()) {
        if (job.first()) {
          jobs.add(
              job.unknown() == null
                  ? "%s: %s to %s"
                      .formatted(
                          job.step(),
                          Cell.orEmpty(job.count()),
                          Cell.or(job.queue(), "the queue of class " + job.computeClass()))
                  : job.step() + ": not known");
        }
      }
      return jobs.toString();
    }
  }

  private static void ask(ScheduleOptions options, String wish, String doing) {
    ServerClient client = options.client();
    String path = options.path(client, NameLookup.Purpose.CHANGE);
    PipelineSchedule schedule = client.post(path + "/" + wish, PipelineSchedule.class);
    System.out.println(
        "schedule/%s/%s %s".formatted(schedule.pipeline(), schedule.name(), doing)
            + (schedule.nextTime() == null ? "" : " " + schedule.nextTime()));
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
      String path = "/v1/backfills/" + ServerClient.encode(id) + "/cancel";
      System.out.println(
          "backfill/" + id + " " + server.client().post(path, Backfill.class).state());
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
