// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import org.jspecify.annotations.Nullable;

/**
 * How a ClusterQueue behaves, apart from how much it has.
 *
 * @param namespaceSelector namespaces whose LocalQueues may use the queue; null: none
 * @param fairWeight how large a share of the cohort is fair for it
 */
public record QueuePolicies(
    QueueingStrategy queueingStrategy,
    QueuePreemption preemption,
    FlavorFungibility flavorFungibility,
    StopPolicy stopPolicy,
    @Nullable LabelSelector namespaceSelector,
    FairWeight fairWeight) {
  /** Kueue's defaults, open to every namespace. */
  public static final QueuePolicies DEFAULT =
      new QueuePolicies(
          QueueingStrategy.BEST_EFFORT_FIFO,
          QueuePreemption.NEVER,
          FlavorFungibility.DEFAULT,
          StopPolicy.NONE,
          LabelSelector.EVERYTHING,
          FairWeight.ONE);

  public QueuePolicies withPreemption(QueuePreemption other) {
    return new QueuePolicies(
        queueingStrategy, other, flavorFungibility, stopPolicy, namespaceSelector, fairWeight);
  }

  public QueuePolicies withQueueingStrategy(QueueingStrategy other) {
    return new QueuePolicies(
        other, preemption, flavorFungibility, stopPolicy, namespaceSelector, fairWeight);
  }

  public QueuePolicies withStopPolicy(StopPolicy other) {
    return new QueuePolicies(
        queueingStrategy, preemption, flavorFungibility, other, namespaceSelector, fairWeight);
  }

  public QueuePolicies withFairWeight(FairWeight other) {
    return new QueuePolicies(
        queueingStrategy, preemption, flavorFungibility, stopPolicy, namespaceSelector, other);
  }

  public QueuePolicies withFlavorFungibility(FlavorFungibility other) {
    return new QueuePolicies(
        queueingStrategy, preemption, other, stopPolicy, namespaceSelector, fairWeight);
  }
}
