// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.Outage;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.RoleBinding;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.queuemodel.quota.WorkloadPriorityClass;

/** Updates the rest of the state after an unused quota object was removed. */
final class ObjectRemoval implements QuotaObject.Handler {
  private final AdmissionState state;

  ObjectRemoval(AdmissionState state) {
    this.state = state;
  }

  /** Its flavors use it to place pods. */
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
    state.removeQueue(queue.meta().name());
  }

  @Override
  public void localQueue(LocalQueue queue) {
    state.running().setLimit(queue, null);
    state.localQueueUsage().forget(queue);
  }

  @Override
  public void priorityClass(WorkloadPriorityClass priorityClass) {}

  /** Refreshes the jobs that may use the class. */
  @Override
  public void computeClass(ComputeClass computeClass) {
    state.refreshAll();
  }

  @Override
  public void booking(Booking booking) {
    state.refreshAll();
  }

  @Override
  public void outage(Outage outage) {
    state.refreshAll();
  }

  /** Only servers read it. */
  @Override
  public void team(Team team) {}

  /** Only servers read it. */
  @Override
  public void roleBinding(RoleBinding binding) {}
}
