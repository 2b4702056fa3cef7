// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.replay;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.OutputFile;
import io.sluice.cli.output.Terminal;
import io.sluice.manifests.quota.RankingAnnotations;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.Ranking;
import io.sluice.simulator.replay.Estimates;
import io.sluice.simulator.replay.Replay;
import io.sluice.simulator.replay.ReplayOutcome;
import io.sluice.simulator.replay.ReplayPolicy;
import io.sluice.simulator.replay.ReplaySetup;
import io.sluice.simulator.replay.Trace;
import io.sluice.simulator.replay.TraceFaultException;
import io.sluice.simulator.replay.TraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Replays a trace of jobs with the engine in virtual time. */
@Command(
    name = "replay",
    description = {
      "Replays a trace of jobs with the engine in virtual time, without a server, and measures how"
          + " long the jobs wait under a policy.",
      "A trace is CSV, compressed by gzip or not. Its first line names the columns: id, submit_s,"
          + " duration_s, devices, and optionally team and estimate_s. Times are whole seconds."
          + " Other columns are ignored. Jobs run on one pool of devices, start whole, and are"
          + " never preempted."
    },
    footer = {
      "",
      "Exit codes: 0 replayed, 1 a file cannot be written, 2 wrong usage or a fault in the trace.",
      "A fault is reported with its line, and then --starts and --out are not written."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class ReplayCommand implements Callable<Integer> {
  @Parameters(paramLabel = "TRACE", description = "The trace: a file .csv or .csv.gz.")
  Path file;

  @Option(
      names = "--devices",
      required = true,
      paramLabel = "M",
      description = "Number of devices of the machine. No job of the trace may use more.")
  int devices;

  @Option(
      names = "--policy",
      required = true,
      paramLabel = "POLICY",
      converter = PolicyConverter.class,
      description =
          "Policy of the queues. fcfs: StrictFIFO, the first job that does not fit blocks the"
              + " others; besteffort: BestEffortFIFO, nothing is kept for a job that does not fit;"
              + " easy: the first blocked job has a planned start, which no other job delays;"
              + " conservative: the first 1000 blocked jobs have one; planned: planned queues with"
              + " their default settings, or with those of the next three options.")
  ReplayPolicy policy;

  @Option(
      names = "--planned-depth",
      paramLabel = "N",
      description =
          "With --policy planned: number of blocked jobs that have a planned start, from 1 to 1000."
              + " Default: 1.")
  @Nullable Integer plannedDepth;

  @Option(
      names = "--rank-weight",
      paramLabel = "WEIGHT",
      converter = WeightConverter.class,
      description =
          "With --policy planned: a job stands behind others by this times its time limit, from 0"
              + " (by age) to 1000. Default: that of planned queues.")
  @Nullable BigDecimal rankWeight;

  @Option(
      names = "--rank-delay-max",
      paramLabel = "TIME",
      converter = DelayConverter.class,
      description =
          "With --policy planned: the most by which a job stands behind others, such as 36h, at"
              + " most 720h. Default: that of planned queues.")
  @Nullable Duration rankDelayMax;

  @Option(
      names = "--est",
      paramLabel = "EST",
      defaultValue = "user",
      converter = EstimatesConverter.class,
      description =
          "Time limit of each job. user: estimate_s of the trace, the duration where it is empty;"
              + " exact: the duration; xF: F times the duration, F at most 1000. No limit is below"
              + " the duration. Default: ${DEFAULT-VALUE}.")
  Estimates estimates;

  @Option(
      names = "--teams",
      paramLabel = "TEAMS",
      defaultValue = "none",
      converter = TeamsConverter.class,
      description =
          "none: all jobs are in one queue; quota: each team has a queue in one cohort, with its"
              + " share of the device-time of the trace as nominal quota, and may borrow. Default:"
              + " ${DEFAULT-VALUE}.")
  Teams teams;

  @Option(
      names = "--starts",
      paramLabel = "FILE",
      description =
          "Writes a line id,start_s for each job, in the order of submission, in seconds on the"
              + " clock of the trace.")
  @Nullable Path starts;

  @Option(
      names = "--out",
      paramLabel = "FILE.json",
      description = "Writes the measures as JSON; times are in seconds.")
  @Nullable Path out;

  @Option(
      names = "--calibration",
      description =
          "Estimates at each submission when the job will start, from what was known then, and"
              + " shows how good the ranges were for jobs that waited for more than 60 s. It"
              + " changes no start.")
  boolean calibration;

  @Option(
      names = {"-q", "--quiet"},
      description =
          "Shows no progress. Else standard error shows it: a bar on a terminal, a line every 10 s"
              + " elsewhere.")
  boolean quiet;

  /** Reads a policy from its word. */
  static final class PolicyConverter implements ITypeConverter<ReplayPolicy> {
    @Override
    public ReplayPolicy convert(String word) {
      for (ReplayPolicy policy : ReplayPolicy.values()) {
        if (policy.word().equals(word)) {
          return policy;
        }
      }
      String known =
          Arrays.stream(ReplayPolicy.values())
              .map(ReplayPolicy::word)
              .collect(Collectors.joining(", "));
      throw new TypeConversionException("unknown policy \"" + word + "\": one of " + known);
    }
  }

  /** Reads the weight of a ranking. */
  static final class WeightConverter implements ITypeConverter<BigDecimal> {
    @Override
    public BigDecimal convert(String text) {
      return read(text, RankingAnnotations::weight);
    }
  }

  /** Reads the cap of a ranking. */
  static final class DelayConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return read(text, RankingAnnotations::delayMax);
    }
  }

  private static <T> T read(String text, Function<String, T> reader) {
    try {
      return reader.apply(text);
    } catch (InvalidValueException invalid) {
      throw new TypeConversionException("\"" + text + "\" " + invalid.getMessage());
    }
  }

  /** Reads the rule of time limits. */
  static final class EstimatesConverter implements ITypeConverter<Estimates> {
    @Override
    public Estimates convert(String word) {
      Estimates estimates = Estimates.parse(word);
      if (estimates == null) {
        throw new TypeConversionException(
            "unknown estimates \""
                + word
                + "\": user, exact, or x with a factor above 0 and up to"
                + " 1000, such as x2.5");
      }
      return estimates;
    }
  }

  /** Whether teams have queues of their own. */
  enum Teams {
    NONE,
    QUOTA
  }

  /** Reads whether teams have quota. */
  static final class TeamsConverter implements ITypeConverter<Teams> {
    @Override
    public Teams convert(String word) {
      return switch (word) {
        case "quota" -> Teams.QUOTA;
        case "none" -> Teams.NONE;
        default ->
            throw new TypeConversionException("unknown teams \"" + word + "\": one of quota, none");
      };
    }
  }

  @Override
  public Integer call() {
    check();
    Trace trace = read();
    Terminal terminal = Terminal.standard();
    try (OutputFile startsFile = OutputFile.open(starts);
        OutputFile outFile = OutputFile.open(out)) {
      ReplayOutcome outcome = replay(trace);
      ReplayReport report = ReplayReport.of(file.toString(), trace, setup(), outcome);
      startsFile.write(outcome::writeStarts);
      outFile.write(
          text ->
              text.append(new String(JsonRecords.write(report), StandardCharsets.UTF_8))
                  .append('\n'));
      startsFile.keep();
      outFile.keep();
      terminal.print(ReplayPage.lines(report));
    } catch (IOException failed) {
      throw new ClientException("cannot write the results: " + failed);
    } catch (UncheckedIOException failed) {
      throw new ClientException("cannot write the results: " + failed.getMessage());
    }
    return 0;
  }

  private void check() {
    if (devices < 1 || devices > ReplaySetup.DEVICES_MAX) {
      throw new WrongUsageException(
          "--devices is %d; it must be from 1 to %d".formatted(devices, ReplaySetup.DEVICES_MAX));
    }
    Integer depth = plannedDepth;
    if (depth != null && (depth < 1 || depth > Queueing.DEPTH_MAX)) {
      throw new WrongUsageException(
          "--planned-depth is %d; it must be from 1 to %d".formatted(depth, Queueing.DEPTH_MAX));
    }
    boolean tuned = depth != null || rankWeight != null || rankDelayMax != null;
    if (tuned && policy != ReplayPolicy.PLANNED) {
      throw new WrongUsageException(
          "--planned-depth, --rank-weight and --rank-delay-max are for --policy planned, not "
              + policy.word());
    }
    if (isSame(starts, out)) {
      throw new WrongUsageException("--starts and --out name the same file: " + out);
    }
    if (isSame(starts, file) || isSame(out, file)) {
      throw new WrongUsageException("the results would replace the trace " + file);
    }
  }

  private static boolean isSame(@Nullable Path one, @Nullable Path other) {
    if (one == null || other == null) {
      return false;
    }
    Path first = one.toAbsolutePath().normalize();
    Path second = other.toAbsolutePath().normalize();
    try {
      return first.equals(second)
          || (Files.exists(first) && Files.exists(second) && Files.isSameFile(first, second));
    } catch (IOException unreadable) {
      return false;
    }
  }

  private ReplaySetup setup() {
    return new ReplaySetup(devices, policy, estimates, teams == Teams.QUOTA, queueing());
  }

  private Queueing queueing() {
    Queueing usual = ReplaySetup.DEFAULT_PLANNED;
    Ranking ranking = usual.ranking();
    ranking = rankWeight == null ? ranking : ranking.withWeight(rankWeight);
    ranking = rankDelayMax == null ? ranking : ranking.withDelayMax(rankDelayMax);
    int depth = plannedDepth == null ? usual.plannedDepth() : plannedDepth;
    return Queueing.planned(depth).withRanking(ranking);
  }

  private Trace read() {
    try {
      if (Files.isDirectory(file)) {
        throw new WrongUsageException(file + " is a folder, not a trace");
      }
      return TraceReader.read(file, devices, teams == Teams.QUOTA);
    } catch (TraceFaultException fault) {
      throw new WrongUsageException(String.valueOf(fault.getMessage()));
    } catch (NoSuchFileException absent) {
      throw new WrongUsageException("there is no file " + file);
    } catch (IOException unreadable) {
      throw new WrongUsageException("cannot read " + file + ": " + unreadable);
    }
  }

  private ReplayOutcome replay(Trace trace) {
    ReplayProgress progress = new ReplayProgress(quiet);
    try {
      return calibration
          ? Replay.runWithEstimates(trace, setup(), progress)
          : Replay.run(trace, setup(), progress);
    } finally {
      progress.end();
    }
  }
}
