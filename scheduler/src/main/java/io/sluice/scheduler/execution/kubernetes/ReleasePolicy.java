// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import java.time.Duration;

/**
 * Ends the Kubernetes objects of an attempt. Objects that Sluice created, and pods, are deleted;
 * objects that their users created are suspended.
 */
interface ReleasePolicy {
  /** The objects of a launch. */
  static ReleasePolicy of(ClusterWork work, Launch launch) {
    AdoptedObject adopted = launch.adopted();
    if (adopted == null) {
      return new Deletion(work, launch);
    }
    return ClusterKind.of(adopted.kind()) == ClusterKind.POD
        ? new PodDeletion(work)
        : new Suspension(work, launch);
  }

  /**
   * Has an object end, and its pods within a grace period.
   *
   * @return whether it surely was told, if it is still there; else it may have to be told again
   * @throws ClusterException if the cluster was not told
   */
  boolean tell(ObjectRef object, Duration grace);

  /**
   * Whether nothing of the attempt is left in an object that was told; what of that is left to do
   * is done.
   *
   * @throws ClusterException if nobody can say
   */
  boolean isBack(ObjectRef object);
}
