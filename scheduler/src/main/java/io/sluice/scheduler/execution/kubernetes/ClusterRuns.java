// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.AcceleratorUse;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.StartWait;
import io.sluice.scheduler.execution.kubernetes.accelerators.AcceleratorScrape;
import io.sluice.scheduler.execution.kubernetes.accelerators.Place;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterWatch;
import io.sluice.scheduler.execution.kubernetes.cluster.RetryPause;
import io.sluice.scheduler.execution.kubernetes.cluster.SeenPod;
import io.sluice.scheduler.execution.kubernetes.cluster.SerialExecutor;
import io.sluice.scheduler.execution.kubernetes.cluster.StateLog;
import io.sluice.scheduler.store.cluster.ClusterObjectRows;
import io.sluice.scheduler.store.leadership.Leadership;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs the attempts of one cluster during one leadership: watches, probes, sweeps and scrapes it.
 */
final class ClusterRuns implements AutoCloseable, ClusterWatch.Listener {
  private static final Logger LOG = Logger.getLogger(ClusterRuns.class);
  private static final int EXECUTORS = 8;
  private static final Duration SWEEP_EVERY = Duration.ofSeconds(20);
  private static final Duration METRICS_EVERY = Duration.ofSeconds(30);
  private static final Duration KINDS_EVERY = Duration.ofMinutes(1);
  private static final Duration KINDS_RETRY = Duration.ofSeconds(2);
  private static final Duration REACHED_EVERY = Duration.ofSeconds(1);

  private static final Duration PROBE_EVERY = Duration.ofSeconds(3);

  /** A restarted watch is silent for a moment; report a cluster as away only after this time. */
  private static final Duration AWAY_AFTER = Duration.ofSeconds(5);

  private final ClusterWork work;
  private final ConcurrentNavigableMap<AttemptKey, AttemptRun> runs = new ConcurrentSkipListMap<>();
  private final List<SerialExecutor> executors = new ArrayList<>();
  private final SerialExecutor upkeep;
  private final SerialExecutor metrics;
  private final SerialExecutor probes;
  private final AcceleratorScrape scrape;
  private final int tpuMetricsPort;
  private final Sweep sweep;
  private final RetryPause kindsRetry = new RetryPause(KINDS_RETRY);
  private final StateLog refusals = new StateLog(LOG);
  private boolean watched;

  /** Start of the time in which the cluster is not watched; null: it is watched. */
  private volatile @Nullable Instant awaySince;

  ClusterRuns(
      Cluster cluster,
      Rendering rendering,
      ClusterObjectRows rows,
      ReportSink reports,
      Leadership lead,
      int tpuMetricsPort) {
    this.tpuMetricsPort = tpuMetricsPort;
    this.work =
        new ClusterWork(
            cluster,
            new ClusterWatch(cluster, this, System::nanoTime),
            new RefusedPods(cluster, System::nanoTime),
            rendering,
            rows,
            reports,
            lead);
    for (int number = 0; number < EXECUTORS; number++) {
      executors.add(new SerialExecutor("cluster-" + cluster.name() + "-" + number));
    }
    this.upkeep = new SerialExecutor("cluster-" + cluster.name() + "-upkeep");
    this.sweep = new Sweep(work, runs::containsKey, System::nanoTime);
    this.metrics = new SerialExecutor("cluster-" + cluster.name() + "-metrics");
    this.scrape = new AcceleratorScrape(cluster.name());
    this.probes = new SerialExecutor("cluster-" + cluster.name() + "-probes");
    metrics.later(METRICS_EVERY, this::scrape);
    probes.later(PROBE_EVERY, this::probe);
    upkeep.post(this::watch);
    upkeep.later(SWEEP_EVERY, this::sweep);
    upkeep.later(REACHED_EVERY, this::noteWhetherReached);
  }

  private void probe() {
    try {
      work.cluster().probe();
    } finally {
      probes.later(PROBE_EVERY, this::probe);
    }
  }

  private void noteWhetherReached() {
    try {
      boolean seen = work.watch().isWatching() && work.cluster().reachability().awaySince() == null;
      Instant since = awaySince;
      awaySince = seen ? null : since == null ? Instant.now() : since;
      if (work.watch().renew()) {
        runs.values().forEach(AttemptRun::changed);
      }
    } finally {
      upkeep.later(REACHED_EVERY, this::noteWhetherReached);
    }
  }

  /** Returns why an attempt of a job does not start, run or end here; null: no known reason. */
  @Nullable StartWait waitsFor(JobId job) {
    for (AttemptRun run : runs.tailMap(new AttemptKey(job, 0, 0)).values()) {
      if (!run.key().job().equals(job)) {
        return null;
      }
      Instant since = awaySince;
      if (since != null && since.isBefore(Instant.now().minus(AWAY_AFTER))) {
        return new StartWait(
            StartBlocker.CLUSTER_UNREACHABLE,
            "cluster %s has not been reached since %s: what runs there is not known"
                .formatted(work.cluster().name(), since.truncatedTo(ChronoUnit.SECONDS)));
      }
      StartWait own = run.waitsFor();
      if (own != null) {
        return own;
      }
    }
    return null;
  }

  ClusterWork work() {
    return work;
  }

  /** Repeats, because kinds may be installed at any time. */
  private void watch() {
    Duration next = KINDS_EVERY;
    try {
      work.watch().begin();
      kindsRetry.reset();
      refusals.clear();
      if (!watched) {
        watched = true;
        runs.values().forEach(AttemptRun::changed);
      }
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.AWAY) {
        refusals.warn("cannot list the kinds of a cluster: " + failure.text());
      }
      next = kindsRetry.take(KINDS_EVERY);
    }
    upkeep.later(next, this::watch);
  }

  private void scrape() {
    try {
      List<Place> places = new ArrayList<>();
      for (AttemptRun run : runs.values()) {
        places.addAll(work.watch().chips(run.key(), tpuMetricsPort));
      }
      scrape.round(places);
    } finally {
      metrics.later(METRICS_EVERY, this::scrape);
    }
  }

  /** Returns accelerator use by job. */
  Map<JobId, AcceleratorUse> acceleratorUse() {
    return scrape.known();
  }

  private void sweep() {
    try {
      sweep.run();
    } finally {
      upkeep.later(SWEEP_EVERY, this::sweep);
    }
  }

  /** Runs a task on an attempt in its executor; adds the attempt if it is unknown. */
  void with(Launch launch, Consumer<AttemptRun> task) {
    AttemptRun run =
        runs.computeIfAbsent(launch.attempt(), key -> new AttemptRun(launch, work, executor(key)));
    run.executor().post(() -> task.accept(run));
  }

  private SerialExecutor executor(AttemptKey key) {
    return executors.get(Math.floorMod(key.hashCode(), EXECUTORS));
  }

  /** Runs a task as {@link #with} does if the attempt is known; else returns false. */
  boolean withKnown(AttemptKey attempt, Consumer<AttemptRun> task) {
    AttemptRun run = runs.get(attempt);
    if (run != null) {
      run.executor().post(() -> task.accept(run));
    }
    return run != null;
  }

  /** Forgets an attempt whose end is committed. */
  void ended(AttemptKey attempt) {
    AttemptRun run = runs.remove(attempt);
    if (run != null) {
      run.executor().post(run::forget);
    }
  }

  @Override
  public void changed(AttemptKey attempt) {
    AttemptRun run = runs.get(attempt);
    if (run != null) {
      run.changed();
    }
  }

  @Override
  public void saw(AttemptKey attempt, SeenPod pod) {
    AttemptRun run = runs.get(attempt);
    if (run != null) {
      run.saw(pod);
    }
  }

  /** Closes this and returns the attempts that were not over. */
  List<AttemptRun> abandon() {
    close();
    return List.copyOf(runs.values());
  }

  @Override
  public void close() {
    upkeep.close();
    scrape.close();
    metrics.close();
    probes.close();
    executors.forEach(SerialExecutor::close);
    work.watch().close();
  }
}
