// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.scheduler.execution.local.isolation.IsolationSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the local executor.
 *
 * @param directory the executor's directory for logs, records and working directories; for one
 *     server at a time. A root server runs jobs as other accounts, which must be able to pass
 *     through the parent folders
 * @param fleet supplies the current fleet; read at each placement, so it may change
 * @param processesMax the most concurrent pods; beyond it attempts wait
 * @param waitingMax the most attempts that wait for room; beyond it attempts fail to start
 * @param logBytesMax size at which the log of a pod is emptied, and cut at its end
 * @param loggedAttemptsMax the most attempts whose logs are kept; the oldest are removed first
 * @param closeGrace the longest time between SIGTERM and SIGKILL at close; null: processes
 *     continue, for the next server on the directory
 * @param catalogue the accelerator types of the fleet's slices
 * @param containers whether to run containers of Kubernetes manifests as processes
 * @param loggedBytesMax the most bytes of all logs of ended attempts; the oldest are removed first
 * @param isolation how pods are isolated from each other
 * @param secrets directory of the secrets of jobs; null: there are none
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
    boolean containers,
    long loggedBytesMax,
    IsolationSettings isolation,
    @Nullable Path secrets) {
  private static final int PROCESSES_MAX = 4096;
  private static final int WAITING_MAX = 10_000;

  private static final long LOG_BYTES_MAX = 64L << 20;

  private static final int LOGGED_ATTEMPTS_MAX = 10_000;

  private static final long LOGGED_BYTES_MAX = 16L << 30;

  /** Default grace period for processes that end with the server. */
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(10);

  public LocalExecutorSettings {
    requirePositive("processesMax", processesMax);
    requirePositive("waitingMax", waitingMax);
    requirePositive("logBytesMax", logBytesMax);
    requirePositive("loggedAttemptsMax", loggedAttemptsMax);
    requirePositive("loggedBytesMax", loggedBytesMax);
    if (closeGrace != null && closeGrace.isNegative()) {
      throw new IllegalArgumentException("closeGrace must not be negative: " + closeGrace);
    }
    directory = directory.toAbsolutePath().normalize();
  }

  /** Creates settings with the built-in catalogue. */
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
        false,
        LOGGED_BYTES_MAX,
        IsolationSettings.DEFAULT,
        null);
  }

  /** Returns settings with the default bounds. */
  public static LocalExecutorSettings of(Path directory, Supplier<Fleet> fleet) {
    return new LocalExecutorSettings(
        directory, fleet, PROCESSES_MAX, WAITING_MAX, LOG_BYTES_MAX, LOGGED_ATTEMPTS_MAX, null);
  }

  /** Returns settings with which processes end when the executor is closed. */
  public LocalExecutorSettings endingOnClose() {
    return with(logBytesMax, CLOSE_GRACE, catalogue, containers, isolation, secrets);
  }

  /** Returns settings with another catalogue. */
  public LocalExecutorSettings knowing(AcceleratorCatalogue other) {
    return with(logBytesMax, closeGrace, other, containers, isolation, secrets);
  }

  /** Returns settings that run containers as processes. */
  public LocalExecutorSettings runningContainers() {
    return with(logBytesMax, closeGrace, catalogue, true, isolation, secrets);
  }

  /** Returns settings that isolate pods in this way. */
  public LocalExecutorSettings isolating(IsolationSettings other) {
    return with(logBytesMax, closeGrace, catalogue, containers, other, secrets);
  }

  /** Returns settings with another bound on the log of a pod. */
  public LocalExecutorSettings logging(long bytesMax) {
    return with(bytesMax, closeGrace, catalogue, containers, isolation, secrets);
  }

  /** Returns settings with a directory of secrets; null: none. */
  public LocalExecutorSettings keeping(@Nullable Path secretFiles) {
    return with(logBytesMax, closeGrace, catalogue, containers, isolation, secretFiles);
  }

  private LocalExecutorSettings with(
      long logBytes,
      @Nullable Duration grace,
      AcceleratorCatalogue known,
      boolean runsContainers,
      IsolationSettings isolating,
      @Nullable Path secretFiles) {
    return new LocalExecutorSettings(
        directory,
        fleet,
        processesMax,
        waitingMax,
        logBytes,
        loggedAttemptsMax,
        grace,
        known,
        runsContainers,
        loggedBytesMax,
        isolating,
        secretFiles);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1: " + value);
    }
  }
}
