// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.ObjectMeta;
import java.util.List;

/** An object that an administrator writes and the engine reads. */
public sealed interface QuotaObject
    permits Topology,
        ResourceFlavor,
        Cohort,
        ClusterQueue,
        LocalQueue,
        WorkloadPriorityClass,
        ComputeClass,
        DatedObject,
        Team,
        RoleBinding {
  ObjectMeta meta();

  ObjectKind kind();

  default ObjectKey key() {
    return new ObjectKey(kind(), meta().namespace(), meta().name());
  }

  /** The objects that must be there for this one to mean anything. */
  List<ObjectKey> references();

  <R> R fold(Fold<R> fold);

  /** Calls the action for its kind. */
  default void handle(Handler handler) {
    fold(new QuotaObjectDispatch(handler));
  }

  /** One function a kind. */
  interface Fold<R> {
    R topology(Topology topology);

    R resourceFlavor(ResourceFlavor flavor);

    R cohort(Cohort cohort);

    R clusterQueue(ClusterQueue queue);

    R localQueue(LocalQueue queue);

    R priorityClass(WorkloadPriorityClass priorityClass);

    R computeClass(ComputeClass computeClass);

    R booking(Booking booking);

    R outage(Outage outage);

    R team(Team team);

    R roleBinding(RoleBinding binding);
  }

  /** One action a kind. */
  interface Handler {
    void topology(Topology topology);

    void resourceFlavor(ResourceFlavor flavor);

    void cohort(Cohort cohort);

    void clusterQueue(ClusterQueue queue);

    void localQueue(LocalQueue queue);

    void priorityClass(WorkloadPriorityClass priorityClass);

    void computeClass(ComputeClass computeClass);

    void booking(Booking booking);

    void outage(Outage outage);

    void team(Team team);

    void roleBinding(RoleBinding binding);
  }
}
