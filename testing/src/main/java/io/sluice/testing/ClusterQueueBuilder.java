// SPDX-License-Identifier: Apache-2.0
package io.sluice.testing;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds a ClusterQueue or a Cohort with one resource group per resource. */
public final class ClusterQueueBuilder {
  private final String name;
  private @Nullable String cohort;
  private QueuePolicies policies = QueuePolicies.DEFAULT;
  private final List<FlavorQuotas> quotas = new ArrayList<>();

  private ClusterQueueBuilder(String name) {
    this.name = name;
  }

  public static ClusterQueueBuilder named(String name) {
    return new ClusterQueueBuilder(name);
  }

  /** The cohort of a queue, or the parent of a cohort. */
  public ClusterQueueBuilder cohort(@Nullable String cohortName) {
    cohort = cohortName;
    return this;
  }

  public ClusterQueueBuilder quota(String flavor, ResourceQuota quota) {
    quotas.add(new FlavorQuotas(flavor, List.of(quota)));
    return this;
  }

  public ClusterQueueBuilder nominal(String flavor, ResourceName resource, long nominal) {
    return quota(flavor, ResourceQuota.nominal(resource, nominal));
  }

  public ClusterQueueBuilder preemption(QueuePreemption preemption) {
    return policies(policies -> policies.withPreemption(preemption));
  }

  public ClusterQueueBuilder policies(UnaryOperator<QueuePolicies> change) {
    policies = change.apply(policies);
    return this;
  }

  public ClusterQueue build() {
    // As a manifest has it.
    Duration minRunTime = policies.preemption().minRunTime();
    Labels annotations =
        minRunTime.isZero()
            ? Labels.NONE
            : Labels.of(Map.of(QueuePreemption.MIN_RUN_TIME_ANNOTATION, minRunTime.toString()));
    ObjectMeta meta = new ObjectMeta("", name, Labels.NONE, annotations);
    return new ClusterQueue(meta, cohort, groups(), policies);
  }

  public Cohort buildCohort() {
    return new Cohort(ObjectMeta.named(name), cohort, groups(), policies.fairWeight());
  }

  private List<ResourceGroup> groups() {
    List<ResourceName> resources =
        quotas.stream().map(flavor -> flavor.resources().get(0).resource()).distinct().toList();
    List<ResourceGroup> groups = new ArrayList<>();
    for (ResourceName resource : resources) {
      groups.add(
          new ResourceGroup(
              List.of(resource),
              quotas.stream()
                  .filter(flavor -> flavor.resources().get(0).resource().equals(resource))
                  .toList()));
    }
    return groups;
  }
}
