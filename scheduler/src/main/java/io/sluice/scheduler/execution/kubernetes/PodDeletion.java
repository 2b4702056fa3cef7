// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.execution.kubernetes.cluster.Adopted;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import java.time.Duration;

/**
 * Ends an attempt by deleting pods that their users created, since a pod cannot be suspended. Pods
 * that have ended stay, so that their users can inspect them.
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
