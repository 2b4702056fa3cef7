// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ResourceGroup;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes heads that fit without a flavor search.
 *
 * <p>If a queue offers one flavor for each requested resource, there is no choice. Once a head has
 * fit, another head of the queue with the same requests fits exactly if quota leaves the same
 * amounts, and gets the same flavors. Only its borrowing level may differ. This holds until quota
 * objects change. It does not apply to heads that request slices, places or a compute class,
 * because those involve a choice.
 */
final class KnownFits {

  private final AdmissionState state;

  KnownFits(AdmissionState state) {
    this.state = state;
  }

  /** Returns an entry for the head if it is known to fit; else null. */
  @Nullable CycleEntry of(JobEntry head) {
    // A flavor offered before may belong to a cluster that was never reached.
    if (!state.fleet().unreachedClusters().isEmpty()) {
      return null;
    }
    Usage usage = state.tries().knownUse(head);
    return usage != null && state.ledger().fits(usage)
        ? CycleEntry.foreseen(head, usage, level(usage))
        : null;
  }

  private int level(Usage usage) {
    QuotaUsage held = state.ledger().held();
    int level = 0;
    for (int at = 0; at < usage.size(); at++) {
      int its = held.borrowingLevel(usage.node(), usage.flavorResource(at), usage.amount(at));
      level = Math.max(level, its);
    }
    return level;
  }

  /** Remembers an entry that fits, if others with the same requests will fit in the same way. */
  void note(CycleEntry entry) {
    RoomNeed need = entry.need();
    boolean byQuotaAlone = need.pool() == null && need.pods().isEmpty();
    if (entry.fits() && byQuotaAlone && nothingToChoose(entry.job())) {
      state.tries().noteUse(entry.job(), need.usage());
    }
  }

  private static boolean nothingToChoose(JobEntry job) {
    WorkloadShape shape = job.workload().shape();
    return shape.computeClass() == null
        && shape.accelerator() == null
        && atMostOneFlavor(job.queue().groupOf(ResourceName.PODS))
        && shape.podSets().stream()
            .allMatch(
                podSet ->
                    podSet.minCount() == null
                        && podSet.total().amounts().keySet().stream()
                            .allMatch(asked -> oneFlavor(job.queue(), asked)));
  }

  private static boolean oneFlavor(QueueState queue, ResourceName resource) {
    return atMostOneFlavor(queue.groupOf(resource));
  }

  private static boolean atMostOneFlavor(@Nullable ResourceGroup group) {
    return group == null || group.flavors().size() == 1;
  }
}
