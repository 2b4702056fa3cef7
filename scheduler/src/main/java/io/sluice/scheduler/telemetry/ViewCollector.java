// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.prometheus.client.Collector;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.scheduler.loop.CommittedView;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the gauges of the committed view: the state of queues, the last batch, the epoch. Each
 * scrape computes them from one look at the view, which is locked only for {@link
 * QueueStanding#all}. Deleted queues have no series.
 */
final class ViewCollector extends Collector {
  private final Supplier<CommittedView.Answer<List<QueueStanding>>> queues;
  private final LongSupplier epoch;
  private final DecisionCounts counts;

  /**
   * A collector that has not collected yet.
   *
   * @param queues their present state, and the batch that it is as of
   * @param epoch of the last leader; negative if there was none
   * @param counts told which queues exist
   */
  ViewCollector(
      Supplier<CommittedView.Answer<List<QueueStanding>>> queues,
      LongSupplier epoch,
      DecisionCounts counts) {
    this.queues = queues;
    this.epoch = epoch;
    this.counts = counts;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    CommittedView.Answer<List<QueueStanding>> now = queues.get();
    Set<String> names = new TreeSet<>();
    now.value().forEach(queue -> names.add(queue.queue().meta().name()));
    counts.retain(names);
    MetricRows rows = new MetricRows();
    now.value().forEach(queue -> addQueue(rows, queue));
    rows.add(Metric.SEQUENCE, (double) now.sequence());
    long known = epoch.getAsLong();
    if (known >= 0) {
      rows.add(Metric.EPOCH, (double) known);
    }
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
}
