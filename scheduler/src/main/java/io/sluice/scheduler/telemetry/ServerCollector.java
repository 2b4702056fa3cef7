// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.prometheus.client.Collector;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.loop.ServerRole;
import io.sluice.scheduler.store.input.SetAsideCounts;
import io.sluice.scheduler.store.leadership.LeaderRow;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Our metrics, made anew for each scrape from what the committed view says then and what was
 * counted. The view is held only for {@link QueueStanding#all}; the rest is made outside of it.
 */
final class ServerCollector extends Collector {
  private final Supplier<CommittedView.Answer<List<QueueStanding>>> queues;
  private final DecisionCounts counts;
  private final Standing standing;

  /** What is known of who leads. */
  interface Standing {
    /** Whether this server does. */
    boolean leads();

    /** Of the last leader; negative if there was none. */
    long epoch();

    static Standing of(ServerRole role) {
      return new Standing() {
        @Override
        public boolean leads() {
          return role.leads();
        }

        @Override
        public long epoch() {
          LeaderRow leader = role.leader();
          return leader == null ? -1 : leader.epoch();
        }
      };
    }
  }

  /**
   * Makes nothing yet.
   *
   * @param queues how they stand now, and as of which batch
   */
  ServerCollector(
      Supplier<CommittedView.Answer<List<QueueStanding>>> queues,
      DecisionCounts counts,
      Standing standing) {
    this.queues = queues;
    this.counts = counts;
    this.standing = standing;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    MetricRows rows = new MetricRows();
    CommittedView.Answer<List<QueueStanding>> now = queues.get();
    Set<String> names = new TreeSet<>();
    now.value().forEach(queue -> names.add(queue.queue().meta().name()));
    DecisionCounts.Reading counted = counts.read(names);
    now.value().forEach(queue -> addQueue(rows, queue));
    addCounted(rows, counted);
    addSetAside(rows);
    boolean leads = standing.leads();
    rows.add(Metric.LEADER, leads ? 1 : 0);
    if (standing.epoch() >= 0) {
      rows.add(Metric.EPOCH, (double) standing.epoch());
    }
    rows.add(Metric.SEQUENCE, (double) now.sequence());
    rows.add(Metric.IN_FLIGHT, leads ? counted.inFlight() : 0);
    return rows.families();
  }

  private void addQueue(MetricRows rows, QueueStanding queue) {
    String label = counts.labels().of(queue.queue().meta().name());
    rows.add(Metric.ADMITTED_ACTIVE, queue.live(), label);
    if (!label.equals(QueueLabels.OTHERS)) {
      rows.add(Metric.QUEUE_STATUS, queue.admits() ? 1 : 0, label, "active");
      rows.add(Metric.QUEUE_STATUS, queue.admits() ? 0 : 1, label, "pending");
    }
    if (queue.admits()) {
      rows.add(Metric.PENDING, queue.pending(), label, "active");
    }
    addQuotas(rows, queue, label);
  }

  private static void addQuotas(MetricRows rows, QueueStanding standing, String label) {
    ClusterQueue queue = standing.queue();
    String named = queue.cohort();
    String cohort = named == null || label.equals(QueueLabels.OTHERS) ? "" : named;
    int number = 0;
    for (ResourceGroup group : queue.resourceGroups()) {
      for (FlavorQuotas quotas : group.flavors()) {
        for (ResourceQuota quota : quotas.resources()) {
          String[] labels = {cohort, label, quotas.flavor(), quota.resource().value()};
          double unit = quota.resource().unitsPerOne();
          rows.add(Metric.USAGE, standing.used().get(number++) / unit, labels);
          rows.add(Metric.NOMINAL, quota.nominal() / unit, labels);
          addLimit(rows, Metric.BORROWING_LIMIT, quota.borrowingLimit(), unit, labels);
          addLimit(rows, Metric.LENDING_LIMIT, quota.lendingLimit(), unit, labels);
        }
      }
    }
  }

  private static void addLimit(
      MetricRows rows, Metric metric, @Nullable Long limit, double unit, String[] labels) {
    if (limit != null) {
      rows.add(metric, limit / unit, labels);
    }
  }

  private void addSetAside(MetricRows rows) {
    for (SetAsideCounts.Kind kind : SetAsideCounts.Kind.values()) {
      rows.add(Metric.SET_ASIDE, (double) counts.setAside().count(kind), kind.word());
    }
  }

  private static void addCounted(MetricRows rows, DecisionCounts.Reading counted) {
    counted.admitted().forEach((queue, count) -> rows.add(Metric.ADMITTED, count, queue));
    counted
        .evicted()
        .forEach((of, count) -> rows.add(Metric.EVICTED, count, of.queue(), of.reason()));
    counted
        .preempted()
        .forEach((of, count) -> rows.add(Metric.PREEMPTED, count, of.queue(), of.reason()));
    counted
        .waits()
        .forEach(
            (queue, wait) ->
                rows.put(Metric.ADMISSION_WAIT, DecisionCounts.WAIT_BOUNDS, wait, queue));
    rows.put(Metric.ROUND, DecisionCounts.ROUND_BOUNDS, counted.rounds());
  }
}
