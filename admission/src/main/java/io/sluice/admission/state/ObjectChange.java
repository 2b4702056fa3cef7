// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.queuemodel.quota.WorkloadPriorityClass;

/** What follows for the rest of the memory when a quota object is there or has changed. */
final class ObjectChange implements QuotaObject.Fold<Boolean> {
  private final AdmissionState state;

  ObjectChange(AdmissionState state) {
    this.state = state;
  }

  /** Pods of its flavors are placed by it. */
  @Override
  public Boolean topology(Topology topology) {
    state.forgetTopologies();
    return true;
  }

  @Override
  public Boolean resourceFlavor(ResourceFlavor flavor) {
    state.forgetTopologies();
    state.reofferSlices();
    return true;
  }

  @Override
  public Boolean cohort(Cohort cohort) {
    return true;
  }

  @Override
  public Boolean clusterQueue(ClusterQueue queue) {
    state.putQueue(queue);
    state.refreshAll();
    return true;
  }

  @Override
  public Boolean localQueue(LocalQueue queue) {
    state.running().setLimit(queue, queue.limits().runningJobs());
    state.localQueueUsage().reweigh(queue);
    state.refreshAll();
    return true;
  }

  /** A job's priority is resolved where it is submitted. */
  @Override
  public Boolean priorityClass(WorkloadPriorityClass priorityClass) {
    return true;
  }

  /** Jobs that name it look at it anew. */
  @Override
  public Boolean computeClass(ComputeClass computeClass) {
    state.refreshAll();
    return true;
  }
}
