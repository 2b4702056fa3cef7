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
  /** Returns the policy for the objects of a launch. */
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
   * Tells an object to end, and its pods to end within a grace period.
   *
   * @return false if the object may not have received the call, so that the caller must repeat it
   * @throws ClusterException if the call did not reach the cluster
   */
  boolean tell(ObjectRef object, Duration grace);

  /**
   * Whether nothing of the attempt is left in an object that was told to end; completes what is
   * left to do.
   *
   * @throws ClusterException if the cluster cannot be asked
   */
  boolean isBack(ObjectRef object);
}
