// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.OutputFile;
import io.sluice.cli.output.Terminal;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.InvalidValueException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Submits a load to a server and measures it. */
@Command(
    name = "bench",
    description = {
      "Submits a load of short jobs to a server, at the times that the load gives, waits until all"
          + " jobs have ended, and measures throughput, times to admission, and what the server"
          + " used.",
      "A load is a JSON file: ClusterQueues that are alike, and classes of workloads for each. Jobs"
          + " run simulated, so one machine is enough.",
      "Unless a server is named by --server, --data, --context, SLUICE_SERVER or SLUICE_DATA, the"
          + " command starts one of its own, with a durable database in a temporary directory, and"
          + " deletes that at the end."
    },
    footer = {
      "",
      "For example: sluice bench load.json --out run.json",
      "Exit codes: 0 every job has ended, 1 the run is incomplete, 2 wrong usage",
      "or a fault in the load, 3 no server answers, 4 refused by the server."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class BenchCommand implements Callable<Integer> {
  private static final int CALLERS_MAX = 256;
  private static final BigDecimal FACTOR_MAX = BigDecimal.valueOf(1_000);
  private static final int FACTOR_DECIMALS_MAX = 3;
  private static final Duration LIMIT_MIN = Duration.ofSeconds(1);
  private static final Duration LIMIT_MAX = Duration.ofHours(24);
  private static final List<String> SERVER_OPTIONS = List.of("--server", "--data", "--context");
  private static final List<String> SERVER_VARIABLES = List.of("SLUICE_SERVER", "SLUICE_DATA");

  /** Connections that are not those of callers. */
  private static final int SPARE_CONNECTIONS = 4;

  @Spec CommandSpec spec;

  @Mixin ServerOptions server;

  @Parameters(paramLabel = "LOAD", description = "The load: a file .json of at most 1 MiB.")
  Path file;

  @Option(
      names = "--out",
      paramLabel = "FILE.json",
      description = "Writes the report as JSON. The file is complete or absent.")
  @Nullable Path out;

  @Option(
      names = "--callers",
      paramLabel = "N",
      defaultValue = "64",
      description =
          "Number of threads that submit, each over a connection of its own, from 1 to 256."
              + " Default: ${DEFAULT-VALUE}.")
  int callers;

  @Option(
      names = "--planned",
      description =
          "The queues plan starts, and no job preempts another one of its queue. Default: the"
              + " queues behave as Kueue's, with the preemption of the load.")
  boolean planned;

  @Option(
      names = "--time-limits",
      paramLabel = "FACTOR",
      converter = FactorConverter.class,
      description =
          "Gives each job a time limit of FACTOR times its run time, from 1 to 1000 with at most"
              + " three decimals. Default: no time limits.")
  @Nullable BigDecimal timeLimitFactor;

  @Option(
      names = "--limit",
      paramLabel = "DURATION",
      defaultValue = "30m",
      converter = LimitConverter.class,
      description =
          "Longest time from the first submission to the end of the last job, from 1s to 24h. Then"
              + " the run ends incomplete. Default: ${DEFAULT-VALUE}.")
  Duration limit;

  @Option(
      names = "--remote",
      description =
          "Allows a server that is not on this machine. CPU time and memory are measured on this"
              + " machine only.")
  boolean remote;

  @Option(
      names = "--no-op",
      description =
          "Sends the submissions to this command itself, which only acknowledges them. Measures"
              + " what the load generator can do and costs.")
  boolean noOp;

  /** Reads the factor of time limits. */
  static final class FactorConverter implements ITypeConverter<BigDecimal> {
    @Override
    public BigDecimal convert(String text) {
      if (text.matches("[0-9]{1,4}(\\.[0-9]{1,%d})?".formatted(FACTOR_DECIMALS_MAX))) {
        BigDecimal factor = new BigDecimal(text);
        if (factor.compareTo(BigDecimal.ONE) >= 0 && factor.compareTo(FACTOR_MAX) <= 0) {
          return factor;
        }
      }
      throw new TypeConversionException(
          "\"%s\" must be a number from 1 to %s with at most %d decimals"
              .formatted(text, FACTOR_MAX, FACTOR_DECIMALS_MAX));
    }
  }

  /** Reads the limit of a run. */
  static final class LimitConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        Duration limit = DurationNotation.parse(text);
        if (limit.compareTo(LIMIT_MIN) >= 0 && limit.compareTo(LIMIT_MAX) <= 0) {
          return limit;
        }
      } catch (InvalidValueException invalid) {
        throw new TypeConversionException("\"" + text + "\" " + invalid.getMessage());
      }
      throw new TypeConversionException(
          "\"%s\" must be from %s to %s"
              .formatted(
                  text, DurationNotation.format(LIMIT_MIN), DurationNotation.format(LIMIT_MAX)));
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    check();
    Load load = LoadReader.read(file);
    // The JDK's HTTP client reads this once, and keeps 5 connections without it.
    System.setProperty("http.maxConnections", Integer.toString(callers + SPARE_CONNECTIONS));
    Terminal terminal = Terminal.standard();
    StopReason stop = new StopReason();
    try (OutputFile outFile = OutputFile.open(out);
        Interruption interruption = Interruption.watch(stop)) {
      BenchReport report = run(load, stop, interruption, terminal);
      terminal.print(BenchPage.lines(report));
      outFile.write(
          text ->
              text.append(new String(JsonRecords.write(report), StandardCharsets.UTF_8))
                  .append('\n'));
      outFile.keep();
      if (!report.complete()) {
        System.err.println(incomplete(load, report));
      }
      return report.complete() ? ExitCode.OK : ExitCode.FAILED;
    } catch (IOException failed) {
      throw new ClientException("the run failed on this machine: " + failed);
    }
  }

  private static String incomplete(Load load, BenchReport report) {
    BenchReport.Server given = report.setup().server();
    return "sluice: the run is incomplete: %s%s"
        .formatted(
            report.reason(),
            given == null || given.own()
                ? ""
                : ". Its jobs stay in the namespace %s of %s"
                    .formatted(load.namespace(), given.url()));
  }

  private void check() {
    if (callers < 1 || callers > CALLERS_MAX) {
      throw new WrongUsageException(
          "--callers is %d; it must be from 1 to %d".formatted(callers, CALLERS_MAX));
    }
    if (noOp && !namedServer().isEmpty()) {
      throw new WrongUsageException(
          "--no-op needs no server, but %s names one".formatted(namedServer()));
    }
    if (remote && namedServer().isEmpty()) {
      throw new WrongUsageException("--remote is for a server that --server or --context names");
    }
    if (out != null && out.toAbsolutePath().normalize().equals(file.toAbsolutePath().normalize())) {
      throw new WrongUsageException("the report would replace the load " + file);
    }
  }

  /** Returns the option or variable that names a server; empty: there is none. */
  private String namedServer() {
    for (String option : SERVER_OPTIONS) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        return option;
      }
    }
    for (String variable : SERVER_VARIABLES) {
      String value = System.getenv(variable);
      if (value != null && !value.isBlank()) {
        return variable;
      }
    }
    return "";
  }

  private BenchReport run(Load load, StopReason stop, Interruption interruption, Terminal terminal)
      throws IOException, InterruptedException {
    BenchSettings settings = new BenchSettings(callers, planned, timeLimitFactor, limit);
    try (BenchProgress progress = new BenchProgress(terminal)) {
      if (noOp) {
        return new NoOpRun(load, settings, stop, progress).run();
      }
      if (!namedServer().isEmpty()) {
        TargetServer given = new TargetServer(server.client(), server.address().data(), null);
        given.check(load, remote);
        return new BenchRun(load, settings, given, stop, progress).run();
      }
      progress.step("starting a server with a database of its own");
      try (OwnServer own = OwnServer.start(load, interruption)) {
        if (own.isInMemory()) {
          System.err.println(
              "sluice: warning: the database of this run is in memory, where a commit costs less"
                  + " than on a disk; set -Djava.io.tmpdir by JAVA_TOOL_OPTIONS");
        }
        TargetServer target = new TargetServer(own.client(), own.data(), own);
        return new BenchRun(load, settings, target, stop, progress).run();
      }
    }
  }
}
