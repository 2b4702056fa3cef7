// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.SecretKey;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.files.AttemptRecords.AttemptRecord;
import io.sluice.scheduler.execution.local.files.AttemptRecords.PodRecord;
import io.sluice.scheduler.execution.local.files.ExecutorDirectory;
import io.sluice.scheduler.execution.local.files.SecretFiles;
import io.sluice.scheduler.execution.local.isolation.Confinement;
import io.sluice.scheduler.execution.local.isolation.IsolationException;
import io.sluice.scheduler.execution.local.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates the processes of an attempt until all gates are ready and on record. This takes
 * milliseconds per pod, so it runs outside the event loop.
 */
final class PodStarter {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration LIMIT_PER_POD = Duration.ofMillis(100);
  private static final String STOPPED = "it was stopped before it started";

  private final ExecutorDirectory directory;
  private final PodEnvironment environments;
  private final SecretFiles secrets;
  private final EventLoop loop;
  private final Executor threads;

  /**
   * Creates a starter.
   *
   * @param loop the loop that aborts a start that hangs
   * @param threads the threads that create processes
   */
  PodStarter(
      ExecutorDirectory directory,
      PodEnvironment environments,
      SecretFiles secrets,
      EventLoop loop,
      Executor threads) {
    this.directory = directory;
    this.environments = environments;
    this.secrets = secrets;
    this.loop = loop;
    this.threads = threads;
  }

  /**
   * The result of a start.
   *
   * @param processes the created processes, to run or to release
   * @param failure why a process could not be created; else null
   */
  record Made(List<PodProcess> processes, @Nullable String failure) {}

  /** Creates all processes, and passes the result to the loop. */
  void make(LocalAttempt attempt, Consumer<Made> then) {
    List<PodPlan> pods = attempt.pods();
    threads.execute(
        () -> {
          Made made = make(attempt.launch(), pods, attempt::wanted);
          loop.post(() -> then.accept(made));
        });
  }

  private Made make(Launch launch, List<PodPlan> pods, BooleanSupplier wanted) {
    AttemptKey attempt = launch.attempt();
    int generation = launch.generation();
    if (!wanted.getAsBoolean()) {
      return new Made(List.of(), STOPPED);
    }
    ProcessTable table = directory.platform().table();
    Queue<PodProcess> made = new ConcurrentLinkedQueue<>();
    ScheduledFuture<?> breakOff =
        loop.schedule(
            LIMIT.plus(LIMIT_PER_POD.multipliedBy(pods.size())),
            () -> made.forEach(PodProcess::destroy));
    try {
      Confinement confinement = directory.isolation().of(launch.job().meta().namespace());
      String bootId = table.bootId();
      directory.records().write(attempt, recordOf(generation, bootId, List.of()));
      Path statuses = directory.records().createStatuses(attempt, generation);
      directory
          .logs()
          .create(
              attempt, pods.stream().map(PodPlan::name).toList(), directory.isolation().notice());
      for (PodPlan pod : pods) {
        if (!wanted.getAsBoolean()) {
          throw new CannotStartException(STOPPED);
        }
        Path workDirectory = directory.work().create(attempt, pod.name(), confinement);
        PodProcess.Output output =
            new PodProcess.Output(
                statuses.resolve(pod.name()), directory.logs().file(attempt, pod.name()));
        made.add(spawn(pod, launch, confinement, workDirectory, output));
      }
      List<PodRecord> started = new ArrayList<>();
      for (PodProcess process : made) {
        started.add(process.awaitReady(table));
      }
      directory.records().write(attempt, recordOf(generation, bootId, started));
      return new Made(List.copyOf(made), null);
    } catch (IsolationException refused) {
      return new Made(List.of(), refused.reason());
    } catch (CannotStartException refused) {
      return new Made(List.copyOf(made), refused.getMessage());
    } catch (IOException | RuntimeException | OutOfMemoryError failed) {
      return new Made(
          List.copyOf(made), "the local executor could not prepare its pods: " + failed);
    } finally {
      breakOff.cancel(false);
    }
  }

  private AttemptRecord recordOf(int generation, String bootId, List<PodRecord> pods) {
    return new AttemptRecord(generation, directory.executorId(), bootId, pods, false);
  }

  private PodProcess spawn(
      PodPlan pod,
      Launch launch,
      Confinement confinement,
      Path workDirectory,
      PodProcess.Output output)
      throws CannotStartException {
    SortedMap<String, String> environment =
        environments.complete(
            pod, workDirectory, confinement.account(), launch.earlier().checkpoint());
    try {
      return PodProcess.spawn(
          directory.platform(),
          environments,
          pod,
          directory
              .isolation()
              .bounded(confinement, launch.attempt(), pod.name(), pod.template().requests()),
          environment,
          secrets(pod, launch.job().meta().namespace(), environment),
          workDirectory,
          output);
    } catch (IOException refused) {
      throw new CannotStartException(
          pod.named() + " could not be started: " + refused.getMessage());
    }
  }

  /** Reads the pod's secrets, except those whose names the environment has. */
  private SortedMap<String, String> secrets(
      PodPlan pod, String namespace, SortedMap<String, String> environment) throws IOException {
    TreeMap<String, String> values = new TreeMap<>();
    for (Map.Entry<String, SecretKey> secret : pod.template().secrets().entrySet()) {
      if (!environment.containsKey(secret.getKey())) {
        values.put(secret.getKey(), secrets.read(namespace, secret.getValue()));
      }
    }
    return values;
  }
}
