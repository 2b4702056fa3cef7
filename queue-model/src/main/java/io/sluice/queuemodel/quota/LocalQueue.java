// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.LocalQueueLimits;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.util.List;

/**
 * The name by which a namespace submits jobs to a ClusterQueue.
 *
 * @param fairWeight by what its usage is divided where the ClusterQueue serves by usage
 */
public record LocalQueue(
    ObjectMeta meta, String clusterQueue, StopPolicy stopPolicy, FairWeight fairWeight)
    implements QuotaObject {
  /** The label that names the team of a namespace that is in no {@link Team}. */
  public static final String TEAM_LABEL = "sluice.io/team";

  /** One that has the usual weight. */
  public LocalQueue(ObjectMeta meta, String clusterQueue, StopPolicy stopPolicy) {
    this(meta, clusterQueue, stopPolicy, FairWeight.ONE);
  }

  public LocalQueue withFairWeight(FairWeight other) {
    return new LocalQueue(meta, clusterQueue, stopPolicy, other);
  }

  public QueueKey queueKey() {
    return new QueueKey(meta.namespace(), meta.name());
  }

  /**
   * What it allows those who submit to it.
   *
   * @throws io.sluice.queuemodel.InvalidValueException if an annotation cannot be read
   */
  public LocalQueueLimits limits() {
    return LocalQueueLimits.of(meta.annotations());
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.LOCAL_QUEUE;
  }

  @Override
  public List<ObjectKey> references() {
    return List.of(ObjectKey.of(ObjectKind.CLUSTER_QUEUE, clusterQueue));
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.localQueue(this);
  }
}
