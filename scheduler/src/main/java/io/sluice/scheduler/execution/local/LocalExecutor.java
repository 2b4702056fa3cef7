// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.local.Leftovers.Leftover;
import io.sluice.scheduler.execution.local.files.ExecutorDirectory;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import io.sluice.scheduler.execution.local.files.LogFiles;
import io.sluice.scheduler.execution.local.files.SecretFiles;
import io.sluice.scheduler.execution.local.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs attempts as processes of this machine, one process group per pod. They run as the server's
 * user or, if that is root, as an unprivileged account of their namespace.
 *
 * <p>One thread makes all changes to attempts. Two more create processes, one bounds logs, and one
 * removes discarded working directories. None of them waits for a pod.
 */
public final class LocalExecutor implements Executor {
  private static final Logger LOG = System.getLogger(LocalExecutor.class.getName());
  private static final int STARTERS = 2;
  private static final Duration LOG_INTERVAL = Duration.ofMillis(200);

  /** The longest wait of a call for processes that were killed. */
  private static final Duration AFTER_KILL = Duration.ofSeconds(10);

  /** The longest time for which a closing executor removes working directories. */
  private static final Duration REMOVAL = Duration.ofSeconds(5);

  private final LocalExecutorSettings settings;
  private final EventLoop loop = new EventLoop("sluice-local");
  private final EventLoop logLoop = new EventLoop("sluice-local-logs");
  private final LivePods livePods =
      new LivePods(attempt -> logLoop.post(() -> logs().ended(attempt)));
  private final ExecutorService starters =
      Executors.newFixedThreadPool(STARTERS, EventLoop.threads("sluice-local-start"));
  private final ExecutorService remover =
      Executors.newSingleThreadExecutor(EventLoop.threads("sluice-local-remove"));
  private final ExecutorDirectory directory;
  private final AttemptSupervisor supervisor;

  /**
   * Opens the executor's directory; runs nothing yet.
   *
   * @throws IllegalStateException if its directory cannot be written or another server uses it
   */
  public LocalExecutor(LocalExecutorSettings settings, ReportSink reports) {
    this(settings, reports, Platform::find);
  }

  LocalExecutor(
      LocalExecutorSettings settings,
      ReportSink reports,
      ExecutorDirectory.PlatformFinder platforms) {
    this.settings = settings;
    this.directory = open(platforms);
    PodEnvironment environments = new PodEnvironment(System.getenv(), directory.executorId());
    Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    LoopbackAddresses addresses = new LoopbackAddresses(directory.executorId());
    PodPlanner planner = new PodPlanner(charset, settings.catalogue(), addresses);
    this.supervisor =
        new AttemptSupervisor(
            loop,
            directory,
            new PodStarter(
                directory,
                environments,
                new SecretFiles(settings.secrets(), charset),
                loop,
                starters),
            new WaitingLine(
                settings,
                planner,
                new ContainerProcesses(settings.containers(), planner, addresses),
                new Rendezvous(addresses, !TpuDevices.present())),
            reports,
            livePods);
    logLoop.repeat(LOG_INTERVAL, this::boundLogs);
  }

  private ExecutorDirectory open(ExecutorDirectory.PlatformFinder platforms) {
    try {
      return ExecutorDirectory.open(settings, platforms, livePods::contains, remover);
    } catch (RuntimeException unusable) {
      shutDown();
      throw unusable;
    }
  }

  private void boundLogs() {
    livePods.forEach((attempt, pods) -> pods.forEach(pod -> directory.logs().trim(attempt, pod)));
  }

  /** {@inheritDoc} The id of its directory. */
  @Override
  public String id() {
    return directory.executorId();
  }

  /**
   * {@inheritDoc}
   *
   * <p>It waits at most 12 s for the end of attempts that cannot continue. Those that remain are
   * still killed repeatedly, and reported when nothing of them is left.
   */
  @Override
  public void recover(List<Launch> live) {
    Map<AttemptKey, Leftover> leftovers = new Leftovers(directory).find();
    List<Launch> listed = List.copyOf(live);
    CompletableFuture<Void> over = new CompletableFuture<>();
    loop.post(
        () -> {
          try {
            supervisor.recover(leftovers, listed, over);
          } catch (RuntimeException failed) {
            over.completeExceptionally(failed);
          }
        });
    await(over, LocalAttempt.SHORT_GRACE.plus(AFTER_KILL), "what an earlier server left");
  }

  @Override
  public void start(Launch launch) {
    loop.post(() -> supervisor.start(launch));
  }

  @Override
  public void stop(AttemptKey attempt, int generation, Duration gracePeriod) {
    loop.post(() -> supervisor.stop(attempt, generation, gracePeriod));
  }

  @Override
  public void ended(AttemptKey attempt) {
    loop.post(() -> supervisor.ended(attempt));
  }

  @Override
  public void hostsFailed(Set<String> hosts) {
    Set<String> failed = Set.copyOf(hosts);
    loop.post(() -> supervisor.failHosts(failed));
  }

  @Override
  public LogFiles logs() {
    return directory.logs();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Processes continue for the next server, unless the settings have a grace period.
   */
  @Override
  public synchronized void close() {
    if (starters.isShutdown()) {
      return;
    }
    CompletableFuture<Void> over = new CompletableFuture<>();
    Duration grace = settings.closeGrace();
    loop.post(() -> supervisor.close(grace, over));
    await(over, (grace == null ? LocalAttempt.SHORT_GRACE : grace).plus(AFTER_KILL), "attempts");
    shutDown();
    try {
      boolean removed = remover.awaitTermination(REMOVAL.toSeconds(), TimeUnit.SECONDS);
      if (!removed) {
        LOG.log(Level.INFO, "What is left in working directories is removed by the next server");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    directory.close();
  }

  private void shutDown() {
    loop.close();
    if (supervisor != null) { // else the directory was unusable
      supervisor.stopWatching();
    }
    logLoop.close();
    starters.shutdown();
    remover.shutdown();
  }

  private static void await(CompletableFuture<Void> over, Duration limit, String what) {
    try {
      over.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException stuck) {
      LOG.log(Level.WARNING, "Processes of " + what + " are still there after " + limit);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("recovery failed", failed.getCause());
    }
  }
}
