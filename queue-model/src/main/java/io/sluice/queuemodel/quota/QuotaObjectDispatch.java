// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

/** Calls the action for the kind of a quota object. The result of this fold has no meaning. */
record QuotaObjectDispatch(QuotaObject.Handler handler) implements QuotaObject.Fold<Boolean> {
  @Override
  public Boolean topology(Topology topology) {
    handler.topology(topology);
    return true;
  }

  @Override
  public Boolean resourceFlavor(ResourceFlavor flavor) {
    handler.resourceFlavor(flavor);
    return true;
  }

  @Override
  public Boolean cohort(Cohort cohort) {
    handler.cohort(cohort);
    return true;
  }

  @Override
  public Boolean clusterQueue(ClusterQueue queue) {
    handler.clusterQueue(queue);
    return true;
  }

  @Override
  public Boolean localQueue(LocalQueue queue) {
    handler.localQueue(queue);
    return true;
  }

  @Override
  public Boolean priorityClass(WorkloadPriorityClass priorityClass) {
    handler.priorityClass(priorityClass);
    return true;
  }

  @Override
  public Boolean computeClass(ComputeClass computeClass) {
    handler.computeClass(computeClass);
    return true;
  }

  @Override
  public Boolean booking(Booking booking) {
    handler.booking(booking);
    return true;
  }

  @Override
  public Boolean outage(Outage outage) {
    handler.outage(outage);
    return true;
  }

  @Override
  public Boolean team(Team team) {
    handler.team(team);
    return true;
  }

  @Override
  public Boolean roleBinding(RoleBinding binding) {
    handler.roleBinding(binding);
    return true;
  }
}
