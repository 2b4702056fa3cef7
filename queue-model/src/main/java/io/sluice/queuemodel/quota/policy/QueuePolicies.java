// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a ClusterQueue, without its amounts.
 *
 * @param namespaceSelector namespaces whose LocalQueues may use the queue; null: none
 * @param fairWeight how large a share of the cohort is fair for it
 * @param admissionMode which of its LocalQueues is served first
 * @param provisionedFlavors flavors whose nodes come only after a workload was given quota, so that
 *     its pods are placed later
 */
public record QueuePolicies(
    QueueingStrategy queueingStrategy,
    QueuePreemption preemption,
    FlavorFungibility flavorFungibility,
    StopPolicy stopPolicy,
    @Nullable LabelSelector namespaceSelector,
    FairWeight fairWeight,
    AdmissionMode admissionMode,
    List<String> provisionedFlavors,
    Queueing queueing) {
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

  public QueuePolicies {
    provisionedFlavors = List.copyOf(provisionedFlavors);
  }

  /** Policies of a queue whose nodes are there, with Kueue's queueing. */
  public QueuePolicies(
      QueueingStrategy queueingStrategy,
      QueuePreemption preemption,
      FlavorFungibility flavorFungibility,
      StopPolicy stopPolicy,
      @Nullable LabelSelector namespaceSelector,
      FairWeight fairWeight,
      AdmissionMode admissionMode) {
    this(
        queueingStrategy,
        preemption,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        admissionMode,
        List.of(),
        Queueing.KUEUE);
  }

  /**
   * Returns the ranking of its pending jobs: by age, unless the queue is planned. A StrictFIFO
   * queue stays first in, first out.
   */
  public Ranking ranking() {
    boolean ranked = queueing.isPlanned() && queueingStrategy == QueueingStrategy.BEST_EFFORT_FIFO;
    return ranked ? queueing.ranking() : Ranking.BY_AGE;
  }

  public QueuePolicies withPreemption(QueuePreemption other) {
    return new QueuePolicies(
        queueingStrategy,
        other,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        admissionMode,
        provisionedFlavors,
        queueing);
  }

  public QueuePolicies withQueueingStrategy(QueueingStrategy other) {
    return new QueuePolicies(
        other,
        preemption,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        admissionMode,
        provisionedFlavors,
        queueing);
  }

  public QueuePolicies withStopPolicy(StopPolicy other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        flavorFungibility,
        other,
        namespaceSelector,
        fairWeight,
        admissionMode,
        provisionedFlavors,
        queueing);
  }

  public QueuePolicies withFairWeight(FairWeight other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        other,
        admissionMode,
        provisionedFlavors,
        queueing);
  }

  public QueuePolicies withFlavorFungibility(FlavorFungibility other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        other,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        admissionMode,
        provisionedFlavors,
        queueing);
  }

  public QueuePolicies withAdmissionMode(AdmissionMode other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        other,
        provisionedFlavors,
        queueing);
  }

  public QueuePolicies withNamespaceSelector(@Nullable LabelSelector other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        flavorFungibility,
        stopPolicy,
        other,
        fairWeight,
        admissionMode,
        provisionedFlavors,
        queueing);
  }

  public QueuePolicies withProvisionedFlavors(List<String> other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        admissionMode,
        other,
        queueing);
  }

  public QueuePolicies withQueueing(Queueing other) {
    return new QueuePolicies(
        queueingStrategy,
        preemption,
        flavorFungibility,
        stopPolicy,
        namespaceSelector,
        fairWeight,
        admissionMode,
        provisionedFlavors,
        other);
  }
}
