// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import org.jspecify.annotations.Nullable;

/**
 * How a ClusterQueue behaves, apart from how much it has.
 *
 * @param namespaceSelector namespaces whose LocalQueues may use the queue; null: none
 * @param fairWeight how large a share of the cohort is fair for it
 * @param admissionMode which of its LocalQueues is served first
 */
public record QueuePolicies(
    QueueingStrategy queueingStrategy,
    QueuePreemption preemption,
    FlavorFungibility flavorFungibility,
    StopPolicy stopPolicy,
    @Nullable LabelSelector namespaceSelector,
    FairWeight fairWeight,
    AdmissionMode admissionMode) {
  /** Kueue's defaults, open to every namespace. */
  public static final QueuePolicies DEFAULT =
      new QueuePolicies(
          QueueingStrategy.BEST_EFFORT_FIFO,
          QueuePreemption.NEVER,
          FlavorFungibility.DEFAULT,
          StopPolicy.NONE,
          LabelSelector.EVERYTHING,
          FairWeight.ONE,
          AdmissionMode.NO_FAIR_SHARING);

  public QueuePolicies withPreemption(QueuePreemption other) {
    return new QueuePolicies(
        queueingStrategy,
        other,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        admissionMode);
  }

  public QueuePolicies withQueueingStrategy(QueueingStrategy other) {
    return new QueuePolicies(
        other,
        preemption,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        admissionMode);
  }

  public QueuePolicies withStopPolicy(StopPolicy other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        flavorFungibility,
        other,
        namespaceSelector,
        fairWeight,
        admissionMode);
  }

  public QueuePolicies withFairWeight(FairWeight other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        other,
        admissionMode);
  }

  public QueuePolicies withFlavorFungibility(FlavorFungibility other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        other,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        admissionMode);
  }

  public QueuePolicies withAdmissionMode(AdmissionMode other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        other);
  }

  public QueuePolicies withNamespaceSelector(@Nullable LabelSelector other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        flavorFungibility,
        stopPolicy,
        other,
        fairWeight,
        admissionMode);
  }
}
