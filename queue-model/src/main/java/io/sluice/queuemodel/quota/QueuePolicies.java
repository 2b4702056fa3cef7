// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import org.jspecify.annotations.Nullable;

/**
 * How a ClusterQueue behaves, apart from how much it has.
 *
 * @param namespaceSelector namespaces whose LocalQueues may use the queue; null: none
 */
public record QueuePolicies(
    QueueingStrategy queueingStrategy,
    QueuePreemption preemption,
    FlavorFungibility flavorFungibility,
    StopPolicy stopPolicy,
    @Nullable LabelSelector namespaceSelector) {
  /** Kueue's defaults, open to every namespace. */
  public static final QueuePolicies DEFAULT =
      new QueuePolicies(
          QueueingStrategy.BEST_EFFORT_FIFO,
          QueuePreemption.NEVER,
          FlavorFungibility.DEFAULT,
          StopPolicy.NONE,
          LabelSelector.EVERYTHING);

  public QueuePolicies withPreemption(QueuePreemption other) {
    return new QueuePolicies(
        queueingStrategy, other, flavorFungibility, stopPolicy, namespaceSelector);
  }

  public QueuePolicies withQueueingStrategy(QueueingStrategy other) {
    return new QueuePolicies(other, preemption, flavorFungibility, stopPolicy, namespaceSelector);
  }

  public QueuePolicies withStopPolicy(StopPolicy other) {
    return new QueuePolicies(
        queueingStrategy, preemption, flavorFungibility, other, namespaceSelector);
  }

  public QueuePolicies withFlavorFungibility(FlavorFungibility other) {
    return new QueuePolicies(queueingStrategy, preemption, other, stopPolicy, namespaceSelector);
  }
}
