// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The objects of measured worlds: quota for cores of one flavor, and jobs of one pod. */
final class WorldObjects {
  private static final String NAMESPACE = "default";
  private static final String FLAVOR = "cpu";

  private WorldObjects() {}

  static Input flavor() {
    return flavor(FLAVOR);
  }

  static Input flavor(String name) {
    return new Input.SetObject(
        new ResourceFlavor(ObjectMeta.named(name), Labels.NONE, List.of(), List.of()), 1);
  }

  static Input clusterQueue(
      String name, @Nullable String cohort, long nominalMillis, QueuePreemption preemption) {
    return clusterQueue(name, cohort, nominalMillis, preemption, Queueing.KUEUE);
  }

  static Input clusterQueue(
      String name,
      @Nullable String cohort,
      long nominalMillis,
      QueuePreemption preemption,
      Queueing queueing) {
    return clusterQueue(
        name,
        cohort,
        FLAVOR,
        ResourceName.CPU,
        nominalMillis,
        QueuePolicies.DEFAULT.withPreemption(preemption).withQueueing(queueing));
  }

  /** A ClusterQueue with quota of one resource in one flavor. */
  static Input clusterQueue(
      String name,
      @Nullable String cohort,
      String flavor,
      ResourceName resource,
      long nominal,
      QueuePolicies policies) {
    ResourceQuota quota = ResourceQuota.nominal(resource, nominal);
    return new Input.SetObject(
        new ClusterQueue(
            ObjectMeta.named(name),
            cohort,
            List.of(
                new ResourceGroup(
                    List.of(resource), List.of(new FlavorQuotas(flavor, List.of(quota))))),
            policies),
        1);
  }

  /** A LocalQueue of the same name as its ClusterQueue. */
  static Input localQueue(String name) {
    return new Input.SetObject(
        new LocalQueue(ObjectMeta.named(NAMESPACE, name), name, StopPolicy.NONE), 1);
  }

  static Input cohort(String name, @Nullable String parent) {
    return new Input.SetObject(
        new Cohort(ObjectMeta.named(name), parent, List.of(), FairWeight.ONE), 1);
  }

  static WorkloadShape shape(long millis) {
    return new WorkloadShape(
        List.of(
            new PodSet(
                "main", 1, ResourceList.of(ResourceName.CPU, millis), Labels.NONE, List.of())),
        null);
  }

  static Workload workload(
      long number, String queue, int priority, Instant createdAt, WorkloadShape shape) {
    return new Workload(
        new JobId(new UUID(number, 0)),
        "job",
        new QueueKey(NAMESPACE, queue),
        new WorkloadPriority(priority, false),
        new Workload.Submitted(createdAt, ""),
        shape,
        JobLimits.DEFAULT,
        JobArray.SINGLE);
  }
}
