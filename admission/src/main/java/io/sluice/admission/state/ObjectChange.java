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
final class ObjectChange implements QuotaObject.Handler {
  private final AdmissionState state;

  ObjectChange(AdmissionState state) {
    this.state = state;
  }

  /** Pods of its flavors are placed by it. */
  @Override
  public void topology(Topology topology) {
    state.forgetTopologies();
  }

  @Override
  public void resourceFlavor(ResourceFlavor flavor) {
    state.forgetTopologies();
    state.reofferSlices();
  }

  @Override
  public void cohort(Cohort cohort) {}

  @Override
  public void clusterQueue(ClusterQueue queue) {
    state.putQueue(queue);
    state.refreshAll();
  }

  @Override
  public void localQueue(LocalQueue queue) {
    state.running().setLimit(queue, queue.limits().runningJobs());
    state.localQueueUsage().reweigh(queue);
    state.refreshAll();
  }

  /** A job's priority is resolved where it is submitted. */
  @Override
  public void priorityClass(WorkloadPriorityClass priorityClass) {}

  /** Jobs that name it look at it anew. */
  @Override
  public void computeClass(ComputeClass computeClass) {
    state.refreshAll();
  }
}
