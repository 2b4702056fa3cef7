// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import java.util.Collections;

/** What evicting others could do for one resource of a flavor, of which there is too little now. */
final class PreemptionChance {
  private final AdmissionState state;
  private final PreemptionOracle oracle;
  private final JobEntry job;
  private final int slices;

  PreemptionChance(AdmissionState state, PreemptionOracle oracle, JobEntry job, int slices) {
    this.slices = slices;
    this.state = state;
    this.oracle = oracle;
    this.job = job;
  }

  /**
   * How good the flavor is.
   *
   * @param number of the flavor and resource
   * @param quotaFits whether it is not quota that lacks
   */
  FlavorPreference of(String flavor, int number, long wanted, boolean quotaFits) {
    QuotaLedger ledger = state.ledger();
    int node = job.queue().node();
    boolean byPolicy =
        quotaFits
            || ledger.tree().nominal(node, number) >= wanted
            || ledger.held().coveredBelowRoot(node, number, wanted)
            || mayPreemptWhileBorrowing();
    PreemptionOracle.Answer answer = oracle.ask(job, need(flavor, number, wanted), !byPolicy);
    if (!byPolicy && answer.possibility() == Possibility.NO_CANDIDATES) {
      return FlavorPreference.WORST;
    }
    return new FlavorPreference(
        FlavorPreference.Level.of(answer.possibility()), answer.borrowingLevel());
  }

  private RoomNeed need(String flavor, int number, long wanted) {
    FlavorResources numbers = state.ledger().tree().flavorResources();
    boolean[] alone = new boolean[numbers.size()];
    alone[number] = true;
    Usage one = Usage.of(job.queue().node(), Collections.singletonMap(number, wanted));
    WorkloadShape shape = job.workload().shape();
    boolean ofSlices = numbers.pair(number).resource().equals(ResourceName.TPU);
    return shape.accelerator() != null && ofSlices
        ? new RoomNeed(
            one, alone, SlicePool.of(flavor, shape), slices, Collections.emptySortedMap(), job.id())
        : RoomNeed.ofQuota(one, alone, job.id());
  }

  /**
   * Whether the queue may evict for a head that borrows after the evictions. With fair sharing it
   * may: shares protect other queues, and evictions within the queue do not raise its share.
   */
  private boolean mayPreemptWhileBorrowing() {
    QueuePreemption policy = job.queue().spec().policies().preemption();
    return policy.borrowWithinCohort() != PreemptionPolicy.NEVER
        || (state.policy().fairSharing() != null && policy.evicts());
  }
}
