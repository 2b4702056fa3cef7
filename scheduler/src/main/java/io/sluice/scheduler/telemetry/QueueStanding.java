// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of a ClusterQueue for its gauges. The view is locked only while numbers are copied: one
 * for each quota of a queue, and two counts that do not look at its jobs.
 *
 * @param used of each quota of the queue, in their order
 * @param pending jobs that may be admitted, including holders of claims; 0, as unknown, while the
 *     queue does not admit, since its jobs are not indexed then
 * @param live number of attempts that hold its quota
 */
record QueueStanding(ClusterQueue queue, boolean admits, List<Long> used, int pending, int live) {

  static List<QueueStanding> all(AdmissionState state) {
    List<QueueStanding> standings = new ArrayList<>();
    for (QueueState queue : state.queues()) {
      standings.add(of(state, queue));
    }
    return standings;
  }

  private static QueueStanding of(AdmissionState state, QueueState queue) {
    boolean admits = queue.admits();
    return new QueueStanding(
        queue.spec(),
        admits,
        used(state, queue),
        admits ? queue.pending().size() + queue.claimants().size() : 0,
        queue.live().size());
  }

  private static List<Long> used(AdmissionState state, QueueState queue) {
    QuotaTree tree = state.ledger().tree();
    QuotaUsage held = state.ledger().held();
    List<Long> used = new ArrayList<>();
    for (ResourceGroup group : queue.spec().resourceGroups()) {
      for (FlavorQuotas quotas : group.flavors()) {
        for (ResourceQuota quota : quotas.resources()) {
          int number = tree.flavorResources().find(quotas.flavor(), quota.resource());
          used.add(number < 0 ? 0 : held.used(queue.node(), number));
        }
      }
    }
    return used;
  }
}
