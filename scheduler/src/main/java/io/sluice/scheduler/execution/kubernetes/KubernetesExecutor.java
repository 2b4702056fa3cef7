// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.manifests.rendering.AdmittedAttempt;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.AcceleratorUse;
import io.sluice.scheduler.execution.AttemptLogs;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.StartWait;
import io.sluice.scheduler.execution.kubernetes.adoption.AdoptedReading;
import io.sluice.scheduler.execution.kubernetes.adoption.Adoption;
import io.sluice.scheduler.execution.kubernetes.adoption.Adoptions;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.Clusters;
import io.sluice.scheduler.execution.kubernetes.logs.PodLogs;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows;
import io.sluice.scheduler.store.cluster.ClusterObject;
import io.sluice.scheduler.store.cluster.ClusterObjectRows;
import io.sluice.scheduler.store.cluster.KueuePlaceRows;
import io.sluice.scheduler.store.leadership.Leadership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts as objects of Kubernetes clusters. Any server with the same clusters continues the
 * work of another: the clusters say which objects run, and the database which may run.
 */
public final class KubernetesExecutor implements Executor {
  private static final Logger LOG = Logger.getLogger(KubernetesExecutor.class);

  private final Clusters clusters;
  private final Rendering rendering;
  private final ClusterObjectRows rows;
  private final ReportSink reports;
  private final int tpuMetricsPort;
  private final PodLogs logs;
  private final @Nullable Adoptions adoptions;
  private final AdoptedObjectRows adopted;
  private final KueuePlaceRows places;
  private final List<Adoption> adopting = new ArrayList<>();
  private final Map<Cluster, ClusterRuns> runs = new LinkedHashMap<>();
  private final Runnable changed = this::clustersChanged;

  /** Attempts of unknown clusters: their objects cannot be observed. */
  private final Map<AttemptKey, Unconfirmed> unconfirmed = new TreeMap<>();

  private @Nullable Leadership lead;

  /**
   * Creates an executor that neither runs nor watches anything before {@link #recover}.
   *
   * @param clusters the clusters; closing the executor leaves them open
   * @param nodes current flavors and slices
   * @param adoptions terms of adoption; null: no adoption
   * @param tpuMetricsPort port of the TPU metrics on each node; 0: do not scrape
   */
  public KubernetesExecutor(
      Clusters clusters,
      AdmittedAttempt.Nodes nodes,
      AcceleratorCatalogue catalogue,
      DataSource database,
      ReportSink reports,
      @Nullable Adoptions adoptions,
      int tpuMetricsPort) {
    this.tpuMetricsPort = tpuMetricsPort;
    this.adoptions = adoptions;
    this.adopted = new AdoptedObjectRows(database);
    this.places = new KueuePlaceRows(database);
    this.clusters = clusters;
    this.rendering = new Rendering(nodes, catalogue);
    this.rows = new ClusterObjectRows(database);
    this.reports = reports;
    this.logs = new PodLogs(clusters);
  }

  /** {@inheritDoc} The same for all servers, since all of them see the same objects. */
  @Override
  public String id() {
    return "kubernetes";
  }

  @Override
  public synchronized void lead(Leadership now) {
    lead = now;
  }

  @Override
  public synchronized void recover(List<Launch> live) {
    Leadership now = lead;
    if (now == null) {
      throw new IllegalStateException("nobody leads");
    }
    for (Cluster cluster : clusters.all()) {
      runs.put(cluster, new ClusterRuns(cluster, rendering, rows, reports, now, tpuMetricsPort));
    }
    clusters.listen(changed);
    Map<AttemptKey, List<ClusterObject>> written = written(live);
    for (Launch launch : live) {
      List<ClusterObject> objects = written.getOrDefault(launch.attempt(), List.of());
      ClusterRuns where = where(launch, objects);
      if (where != null) {
        where.with(launch, run -> run.adopt(objects));
      }
    }
    beginAdopting();
  }

  private void endAdopting() {
    adopting.forEach(Adoption::close);
    adopting.clear();
  }

  private void beginAdopting() {
    Adoptions terms = adoptions;
    if (terms == null) {
      return;
    }
    String first = clusters.find(null).name();
    List<String> names = runs.keySet().stream().map(Cluster::name).toList();
    for (ClusterRuns one : runs.values()) {
      String name = one.work().cluster().name();
      List<String> others = names.stream().filter(other -> !other.equals(name)).toList();
      adopting.add(
          new Adoption(
              one.work().cluster(),
              one.work().lead(),
              terms,
              adopted,
              places,
              new AdoptedReading(terms.terms(), name, name.equals(first), others)));
    }
  }

  private Map<AttemptKey, List<ClusterObject>> written(List<Launch> launches) {
    Map<AttemptKey, List<ClusterObject>> written = new TreeMap<>();
    rows.find(launches.stream().map(Launch::attempt).toList())
        .forEach(
            object ->
                written.computeIfAbsent(object.attempt(), key -> new ArrayList<>()).add(object));
    return written;
  }

  /**
   * Returns the cluster of the attempt's objects; null if it is unknown: then the attempt fails or
   * becomes unconfirmed.
   */
  private @Nullable ClusterRuns where(Launch launch, List<ClusterObject> objects) {
    String named;
    try {
      named = objects.isEmpty() ? rendering.cluster(launch) : objects.get(0).cluster();
      AdoptedObject object = launch.adopted();
      String cluster = named == null ? clusters.find(null).name() : named;
      if (object != null && !object.cluster().equals(cluster)) {
        throw new InvalidValueException(
            "it was admitted to cluster %s, and its object is in %s: its queue must offer flavors of that one"
                .formatted(cluster, object.cluster()));
      }
    } catch (InvalidValueException nowhere) {
      String message = String.valueOf(nowhere.getMessage());
      report(launch.attempt(), launch.generation(), Kind.FAILED, message);
      report(launch.attempt(), launch.generation(), Kind.DRAINED, "");
      return null;
    }
    try {
      return runs.get(clusters.find(named));
    } catch (InvalidValueException unknown) {
      String message = String.valueOf(unknown.getMessage());
      LOG.warnf("attempt %s is unconfirmed: %s", launch.attempt(), message);
      unconfirmed.put(
          launch.attempt(),
          Unconfirmed.found(launch, String.valueOf(named), !objects.isEmpty(), message));
      return null;
    }
  }

  /**
   * Handles added and removed clusters: attempts of a removed cluster are unconfirmed until it is
   * back.
   */
  private synchronized void clustersChanged() {
    Leadership now = lead;
    if (now == null || runs.isEmpty()) {
      return;
    }
    // Which objects a cluster adopts depends on the other clusters.
    endAdopting();
    List<Cluster> there = clusters.all();
    for (Cluster gone : runs.keySet().stream().filter(one -> !there.contains(one)).toList()) {
      for (AttemptRun run : runs.remove(gone).abandon()) {
        unconfirmed.put(run.key(), Unconfirmed.abandoned(run, gone.name()));
      }
    }
    for (Cluster cluster : there) {
      if (!runs.containsKey(cluster)) {
        runs.put(cluster, new ClusterRuns(cluster, rendering, rows, reports, now, tpuMetricsPort));
      }
    }
    goOnWithUnconfirmed();
    beginAdopting();
  }

  private void goOnWithUnconfirmed() {
    Map<String, ClusterRuns> byName = new TreeMap<>();
    runs.forEach((cluster, one) -> byName.put(cluster.name(), one));
    List<Unconfirmed> waiting =
        unconfirmed.values().stream().filter(one -> byName.containsKey(one.cluster())).toList();
    Map<AttemptKey, List<ClusterObject>> written =
        written(waiting.stream().map(Unconfirmed::launch).toList());
    for (Unconfirmed one : waiting) {
      AttemptKey key = one.launch().attempt();
      List<ClusterObject> objects = written.getOrDefault(key, List.of());
      ClusterRuns where = byName.get(one.cluster());
      if (where == null || unconfirmed.remove(key) == null) {
        continue;
      }
      Launch launch = one.goingOn();
      where.with(launch, run -> run.adopt(objects));
      if (one.start()) {
        where.with(launch, run -> run.start(launch));
      } else if (one.stop() != null) {
        Duration grace = one.stop();
        where.with(launch, run -> run.stop(launch.generation(), grace));
      }
    }
  }

  private void report(AttemptKey attempt, int generation, Kind kind, String message) {
    FailureCause cause = kind == Kind.FAILED ? FailureCause.START_FAILED : null;
    reports.report(new AttemptReport(attempt, generation, kind, cause, message));
  }

  /** {@inheritDoc} Objects stay; the new leader watches them. */
  @Override
  public synchronized void stepDown() {
    endAdopting();
    clusters.unlisten(changed);
    runs.values().forEach(ClusterRuns::close);
    runs.clear();
    unconfirmed.clear();
  }

  @Override
  public synchronized void start(Launch launch) {
    Unconfirmed kept = unconfirmed.get(launch.attempt());
    if (kept != null) {
      unconfirmed.put(launch.attempt(), kept.starting(launch));
      return;
    }
    for (ClusterRuns one : runs.values()) {
      if (one.withKnown(launch.attempt(), run -> run.start(launch))) {
        return;
      }
    }
    ClusterRuns where = where(launch, List.of());
    if (where != null) {
      where.with(launch, run -> run.start(launch));
    } else {
      unconfirmed.computeIfPresent(launch.attempt(), (key, now) -> now.starting(launch));
    }
  }

  @Override
  public synchronized void stop(AttemptKey attempt, int generation, Duration gracePeriod) {
    for (ClusterRuns one : runs.values()) {
      if (one.withKnown(attempt, run -> run.stop(generation, gracePeriod))) {
        return;
      }
    }
    Unconfirmed kept = unconfirmed.get(attempt);
    if (kept == null || !kept.created()) {
      unconfirmed.remove(attempt);
      report(attempt, generation, Kind.DRAINED, "");
    } else {
      unconfirmed.put(attempt, kept.ending(gracePeriod));
    }
  }

  @Override
  public synchronized void ended(AttemptKey attempt) {
    unconfirmed.remove(attempt);
    runs.values().forEach(one -> one.ended(attempt));
  }

  @Override
  public synchronized @Nullable StartWait waitsFor(JobId job) {
    for (Unconfirmed one : unconfirmed.values()) {
      if (one.launch().attempt().job().equals(job)) {
        return new StartWait(StartBlocker.CLUSTER_UNREACHABLE, one.why());
      }
    }
    for (ClusterRuns one : runs.values()) {
      StartWait known = one.waitsFor(job);
      if (known != null) {
        return known;
      }
    }
    return null;
  }

  @Override
  public synchronized Map<JobId, AcceleratorUse> acceleratorUse() {
    Map<JobId, AcceleratorUse> all = new TreeMap<>();
    runs.values().forEach(one -> all.putAll(one.acceleratorUse()));
    return all;
  }

  @Override
  public AttemptLogs logs() {
    return logs;
  }

  @Override
  public synchronized void close() {
    stepDown();
  }
}
