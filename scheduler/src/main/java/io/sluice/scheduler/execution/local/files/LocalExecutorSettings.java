// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.fleet.Fleet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the local executor runs attempts.
 *
 * @param directory its own, for logs, records and working directories; one server at a time. A
 *     server that is root runs jobs as another account only if the folders above are open to it
 * @param fleet the fleet as it is now; asked whenever an attempt is placed, so it may change
 * @param processesMax most pods that live at once; beyond it attempts wait
 * @param waitingMax most attempts that wait for room; beyond it they fail to start
 * @param logBytesMax size at which the log of a pod is emptied
 * @param loggedAttemptsMax most attempts whose logs are kept; the oldest go first
 * @param closeGrace longest time between SIGTERM and SIGKILL when the executor is closed; null: it
 *     leaves processes running, for the next server on the directory
 * @param catalogue the types of the fleet's slices
 * @param containers whether the containers of manifests of Kubernetes are run as processes
 */
public record LocalExecutorSettings(
    Path directory,
    Supplier<Fleet> fleet,
    int processesMax,
    int waitingMax,
    long logBytesMax,
    int loggedAttemptsMax,
    @Nullable Duration closeGrace,
    AcceleratorCatalogue catalogue,
    boolean containers) {
  private static final int PROCESSES_MAX = 4096;
  private static final int WAITING_MAX = 10_000;
  private static final long LOG_BYTES_MAX = 64L << 20;
  private static final int LOGGED_ATTEMPTS_MAX = 10_000;

  /** For those whose processes are to end with the server. */
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(10);

  public LocalExecutorSettings {
    requirePositive("processesMax", processesMax);
    requirePositive("waitingMax", waitingMax);
    requirePositive("logBytesMax", logBytesMax);
    requirePositive("loggedAttemptsMax", loggedAttemptsMax);
    if (closeGrace != null && closeGrace.isNegative()) {
      throw new IllegalArgumentException("closeGrace must not be negative: " + closeGrace);
    }
    directory = directory.toAbsolutePath().normalize();
  }

  /** Settings of an executor that knows the built-in accelerators. */
  public LocalExecutorSettings(
      Path directory,
      Supplier<Fleet> fleet,
      int processesMax,
      int waitingMax,
      long logBytesMax,
      int loggedAttemptsMax,
      @Nullable Duration closeGrace) {
    this(
        directory,
        fleet,
        processesMax,
        waitingMax,
        logBytesMax,
        loggedAttemptsMax,
        closeGrace,
        AcceleratorCatalogue.BUILT_IN,
        false);
  }

  /** The usual bounds. */
  public static LocalExecutorSettings of(Path directory, Supplier<Fleet> fleet) {
    return new LocalExecutorSettings(
        directory, fleet, PROCESSES_MAX, WAITING_MAX, LOG_BYTES_MAX, LOGGED_ATTEMPTS_MAX, null);
  }

  /** The same, but processes end when the executor is closed. */
  public LocalExecutorSettings endingOnClose() {
    return with(CLOSE_GRACE, catalogue, containers);
  }

  /** The same with another catalogue. */
  public LocalExecutorSettings knowing(AcceleratorCatalogue other) {
    return with(closeGrace, other, containers);
  }

  /** The same, which runs containers as processes. */
  public LocalExecutorSettings runningContainers() {
    return with(closeGrace, catalogue, true);
  }

  private LocalExecutorSettings with(
      @Nullable Duration grace, AcceleratorCatalogue known, boolean runsContainers) {
    return new LocalExecutorSettings(
        directory,
        fleet,
        processesMax,
        waitingMax,
        logBytesMax,
        loggedAttemptsMax,
        grace,
        known,
        runsContainers);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1: " + value);
    }
  }
}
