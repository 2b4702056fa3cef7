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

/** Determines what preemption could do for a resource of a flavor with too little free. */
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
   * Returns the preference of the flavor.
   *
   * @param number number of (flavor, resource)
   * @param quotaFits whether quota suffices, so that only slices are lacking
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
   * Returns whether the queue may preempt for a head that still borrows afterwards. Fair sharing
   * permits it: shares protect other queues, and preemption within the queue does not raise its
   * share.
   */
  private boolean mayPreemptWhileBorrowing() {
    QueuePreemption policy = job.queue().spec().policies().preemption();
    return policy.borrowWithinCohort() != PreemptionPolicy.NEVER
        || (state.policy().fairSharing() != null && policy.evicts());
  }
}
