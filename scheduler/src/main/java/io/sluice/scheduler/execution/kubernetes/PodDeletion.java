// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.execution.kubernetes.cluster.Adopted;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import java.time.Duration;

/**
 * Pods that their users created are deleted, since a pod cannot be suspended; those that have ended
 * stay, for whoever wants to see why.
 */
final class PodDeletion implements ReleasePolicy {
  private final ClusterWork work;

  PodDeletion(ClusterWork work) {
    this.work = work;
  }

  @Override
  public boolean tell(ObjectRef object, Duration grace) {
    JsonNode there = work.cluster().findSame(object);
    return there == null || Adopted.isPodOver(there) || work.cluster().delete(object, grace);
  }

  @Override
  public boolean isBack(ObjectRef object) {
    JsonNode there = work.cluster().findSame(object);
    return there == null || Adopted.isPodOver(there);
  }
}
