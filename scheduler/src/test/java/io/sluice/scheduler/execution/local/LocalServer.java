// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.AttemptOutput;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.local.files.AttemptRecords;
import io.sluice.scheduler.execution.local.files.AttemptRecords.AttemptRecord;
import io.sluice.scheduler.execution.local.files.ExecutorDirectory;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import io.sluice.scheduler.execution.local.files.LogFiles;
import io.sluice.scheduler.execution.local.process.LinuxProcessTable;
import io.sluice.scheduler.execution.local.process.PortableProcessTable;
import io.sluice.scheduler.execution.local.process.ProcessTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A local executor on its own directory, with its reports and methods that wait for them. */
public final class LocalServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 5;

  final Path directory;
  final AtomicReference<Fleet> fleet = new AtomicReference<>(Fleet.EMPTY);
  final List<AttemptReport> reports = new CopyOnWriteArrayList<>();
  final List<AttemptOutput> outputs = new CopyOnWriteArrayList<>();
  private final ReportSink sink =
      new ReportSink() {
        @Override
        public void report(AttemptReport report) {
          reports.add(report);
        }

        @Override
        public void output(AttemptOutput output) {
          outputs.add(output);
        }
      };
  LocalExecutor executor;

  private LocalServer(Path temporary, Function<LocalServer, LocalExecutor> start) {
    this.directory = passable(temporary).resolve("executor");
    this.executor = start.apply(this);
  }

  /** Creates a server in a folder that an unprivileged account may pass through. */
  static LocalServer in(Path temporary) {
    return in(temporary, settings -> settings);
  }

  static LocalServer in(Path temporary, UnaryOperator<LocalExecutorSettings> change) {
    return new LocalServer(
        temporary, server -> new LocalExecutor(change.apply(server.settings()), server.sink));
  }

  static LocalServer on(Path temporary, ExecutorDirectory.PlatformFinder platforms) {
    return new LocalServer(
        temporary, server -> new LocalExecutor(server.settings(), server.sink, platforms));
  }

  static Path passable(Path temporary) {
    try {
      return Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx--x--x"));
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  /** Returns settings with which processes end with the test. */
  LocalExecutorSettings settings() {
    return LocalExecutorSettings.of(directory, fleet::get).endingOnClose();
  }

  /** Starts the next server after this one ended its processes. */
  void restart() {
    executor.close();
    executor = new LocalExecutor(settings(), sink);
  }

  /** Replaces the executor by one that leaves processes running at its end. */
  void beLeaving() {
    executor.close();
    executor = new LocalExecutor(LocalExecutorSettings.of(directory, fleet::get), sink);
  }

  /** Starts the next server on the directory, and keeps only its reports. */
  void succeed(Launch... live) {
    executor.close();
    reports.clear();
    executor = new LocalExecutor(settings(), sink);
    executor.recover(List.of(live));
  }

  /** Waits until no record is left. */
  void awaitNoRecords() {
    until(
        "the end of all records", () -> directory.resolve("attempts").toFile().list().length == 0);
  }

  /** Returns the records of attempts on disk. */
  AttemptRecords records() {
    return new AttemptRecords(directory.resolve("attempts"), executor.id());
  }

  /** Returns the record of an attempt. */
  AttemptRecord started(Launch launch) {
    try {
      return Objects.requireNonNull(records().read().get(launch.attempt()));
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  void start(Launch launch) {
    executor.start(launch);
  }

  void stop(Launch launch, Duration gracePeriod) {
    executor.stop(launch.attempt(), launch.generation(), gracePeriod);
  }

  List<AttemptReport> reports(Launch launch) {
    return reports.stream().filter(report -> report.attempt().equals(launch.attempt())).toList();
  }

  List<Kind> kinds(Launch launch) {
    return reports(launch).stream().map(AttemptReport::kind).toList();
  }

  AttemptReport await(Launch launch, Kind kind) {
    until(kind + " of " + launch.attempt(), () -> kinds(launch).contains(kind));
    return reports(launch).stream()
        .filter(report -> report.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  /** Starts a launch and waits until every process has ended with 0. */
  Launch finish(Launch launch) {
    start(launch);
    until("end of " + launch.attempt(), () -> kinds(launch).size() >= 2);
    assertThat(kinds(launch)).as(log(launch)).containsExactly(Kind.STARTED, Kind.FINISHED);
    return launch;
  }

  /** Returns the log of the first pod so far. */
  String log(Launch launch) {
    List<String> pods = executor.logs().pods(launch.attempt());
    return pods.isEmpty() ? "" : log(launch.attempt(), pods.get(0));
  }

  String log(AttemptKey attempt, String pod) {
    LogFiles.Chunk chunk = executor.logs().read(attempt, pod, 0, 1 << 20);
    return new String(chunk.bytes(), StandardCharsets.UTF_8);
  }

  /**
   * Waits until the first pod has printed a line with this beginning; returns the rest of the line.
   */
  String printed(Launch launch, String beginning) {
    until(beginning + " in the log", () -> !lines(launch, beginning).isEmpty());
    return lines(launch, beginning).get(0);
  }

  private List<String> lines(Launch launch, String beginning) {
    String log = log(launch);
    return log.substring(0, log.lastIndexOf('\n') + 1)
        .lines()
        .filter(line -> line.startsWith(beginning))
        .map(line -> line.substring(beginning.length()))
        .toList();
  }

  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("waited in vain for " + what).isNegative();
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
    }
  }

  /** Whether the process runs; a zombie does not count. */
  static boolean alive(String pid) {
    Path proc = Path.of("/proc");
    ProcessTable table =
        LinuxProcessTable.readable(proc)
            ? new LinuxProcessTable(proc, "")
            : new PortableProcessTable(Path.of("/bin/sh"));
    return table.startOf(Long.parseLong(pid)).isPresent();
  }

  @Override
  public void close() {
    executor.close();
  }
}
