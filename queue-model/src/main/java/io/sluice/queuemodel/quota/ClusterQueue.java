// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.ObjectMeta;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool of quota.
 *
 * @param cohort null: it neither lends nor borrows
 */
public record ClusterQueue(
    ObjectMeta meta,
    @Nullable String cohort,
    List<ResourceGroup> resourceGroups,
    QueuePolicies policies)
    implements QuotaObject {
  public ClusterQueue {
    resourceGroups = List.copyOf(resourceGroups);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.CLUSTER_QUEUE;
  }

  @Override
  public List<ObjectKey> references() {
    return Cohort.flavorsOf(resourceGroups);
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.clusterQueue(this);
  }
}
