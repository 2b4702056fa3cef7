// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.manifests.rendering.AdmittedAttempt;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptReport;
import io.sluice.queuemodel.job.AttemptReport.Kind;
import io.sluice.queuemodel.job.FailureCause;
import io.sluice.scheduler.execution.AttemptLogs;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.store.AdoptedObject;
import io.sluice.scheduler.store.AdoptedObjectRows;
import io.sluice.scheduler.store.ClusterObject;
import io.sluice.scheduler.store.ClusterObjectRows;
import io.sluice.scheduler.store.Leadership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts as objects of Kubernetes clusters. Any server that is given the same clusters goes
 * on with what another began: what runs is told by the clusters, and what may run by the database.
 */
public final class KubernetesExecutor implements Executor {
  private static final Logger LOG = Logger.getLogger(KubernetesExecutor.class);

  private final Clusters clusters;
  private final Rendering rendering;
  private final ClusterObjectRows rows;
  private final ReportSink reports;
  private final PodLogs logs;
  private final @Nullable Adoptions adoptions;
  private final AdoptedObjectRows adopted;
  private final List<Adoption> adopting = new ArrayList<>();
  private final Map<String, ClusterRuns> runs = new TreeMap<>();

  /** Attempts of clusters that this server does not know: nobody can say what is left of them. */
  private final Set<AttemptKey> unconfirmed = new TreeSet<>();

  private @Nullable Leadership lead;

  /**
   * Runs nothing yet, and watches nothing until it is to recover.
   *
   * @param clusters stay open when this is closed
   * @param nodes what flavors and slices are like now
   * @param adoptions by what objects of users are adopted; null: none is
   */
  public KubernetesExecutor(
      Clusters clusters,
      AdmittedAttempt.Nodes nodes,
      AcceleratorCatalogue catalogue,
      DataSource database,
      ReportSink reports,
      @Nullable Adoptions adoptions) {
    this.adoptions = adoptions;
    this.adopted = new AdoptedObjectRows(database);
    this.clusters = clusters;
    this.rendering = new Rendering(nodes, catalogue);
    this.rows = new ClusterObjectRows(database);
    this.reports = reports;
    this.logs = new PodLogs(clusters);
  }

  /** There is nothing that only one of them could see. */
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
      runs.put(cluster.name(), new ClusterRuns(cluster, rendering, rows, reports, now));
    }
    Map<AttemptKey, List<ClusterObject>> written = new TreeMap<>();
    rows.find(live.stream().map(Launch::attempt).toList())
        .forEach(
            object ->
                written.computeIfAbsent(object.attempt(), key -> new ArrayList<>()).add(object));
    for (Launch launch : live) {
      List<ClusterObject> objects = written.getOrDefault(launch.attempt(), List.of());
      ClusterRuns where = where(launch, objects);
      if (where != null) {
        where.with(launch, run -> run.adopt(objects));
      }
    }
    beginAdopting();
  }

  private void beginAdopting() {
    Adoptions terms = adoptions;
    if (terms == null) {
      return;
    }
    String first = clusters.find(null).name();
    for (ClusterRuns one : runs.values()) {
      String name = one.work().cluster().name();
      List<String> others = runs.keySet().stream().filter(other -> !other.equals(name)).toList();
      adopting.add(
          new Adoption(
              one.work(),
              terms,
              adopted,
              new AdoptedReading(terms.terms(), name, name.equals(first), others)));
    }
  }

  /** Where its objects are, or would be; null: nowhere, and that was reported. */
  private @Nullable ClusterRuns where(Launch launch, List<ClusterObject> objects) {
    try {
      String named = objects.isEmpty() ? rendering.cluster(launch) : objects.get(0).cluster();
      Cluster cluster = clusters.find(named);
      AdoptedObject object = launch.adopted();
      if (object != null && !object.cluster().equals(cluster.name())) {
        throw new InvalidValueException(
            "it was admitted to cluster %s, and its object is in %s: its queue must offer flavors of that one"
                .formatted(cluster.name(), object.cluster()));
      }
      return runs.get(cluster.name());
    } catch (InvalidValueException nowhere) {
      String message = String.valueOf(nowhere.getMessage());
      if (!objects.isEmpty()) {
        LOG.warnf("attempt %s is unconfirmed: %s", launch.attempt(), message);
        unconfirmed.add(launch.attempt());
        return null;
      }
      report(launch.attempt(), launch.generation(), Kind.FAILED, message);
      report(launch.attempt(), launch.generation(), Kind.DRAINED, "");
      return null;
    }
  }

  private void report(AttemptKey attempt, int generation, Kind kind, String message) {
    FailureCause cause = kind == Kind.FAILED ? FailureCause.START_FAILED : null;
    reports.report(new AttemptReport(attempt, generation, kind, cause, message));
  }

  /** {@inheritDoc} Objects go on, and who leads now watches them. */
  @Override
  public synchronized void stepDown() {
    adopting.forEach(Adoption::close);
    adopting.clear();
    runs.values().forEach(ClusterRuns::close);
    runs.clear();
    unconfirmed.clear();
  }

  @Override
  public synchronized void start(Launch launch) {
    if (unconfirmed.contains(launch.attempt())) {
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
    }
  }

  @Override
  public synchronized void stop(AttemptKey attempt, int generation, Duration gracePeriod) {
    for (ClusterRuns one : runs.values()) {
      if (one.withKnown(attempt, run -> run.stop(generation, gracePeriod))) {
        return;
      }
    }
    if (!unconfirmed.contains(attempt)) {
      report(attempt, generation, Kind.DRAINED, "");
    }
  }

  @Override
  public synchronized void ended(AttemptKey attempt) {
    unconfirmed.remove(attempt);
    runs.values().forEach(one -> one.ended(attempt));
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
