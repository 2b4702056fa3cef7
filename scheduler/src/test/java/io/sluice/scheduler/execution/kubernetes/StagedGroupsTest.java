// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.scheduler.execution.kubernetes.StagedGroups.Dependency;
import io.sluice.scheduler.execution.kubernetes.StagedGroups.Group;
import io.sluice.scheduler.execution.kubernetes.StagedGroups.Progress;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StagedGroupsTest {
  private static final Group DRIVER = new Group("driver", 1, List.of());
  private static final Group WORKERS = new Group("workers", 2, List.of());

  private static Group after(String name, String other, boolean complete) {
    return new Group(name, 1, List.of(new Dependency(other, complete)));
  }

  @Test
  void groupsWithoutAnOrderStartTogether() {
    StagedGroups groups = new StagedGroups(List.of(DRIVER, WORKERS), false);
    assertThat(groups.mayExist(Map.of())).containsExactlyInAnyOrder("driver", "workers");
  }

  @Test
  void inOrderAGroupStartsWhenAllBeforeItAreReady() {
    Group last = new Group("last", 1, List.of());
    StagedGroups groups = new StagedGroups(List.of(DRIVER, WORKERS, last), true);
    assertThat(groups.mayExist(Map.of())).containsExactly("driver");
    Progress ready = new Progress(1, 0, 0);
    assertThat(groups.mayExist(Map.of("driver", ready)))
        .containsExactlyInAnyOrder("driver", "workers");
    assertThat(groups.mayExist(Map.of("driver", ready, "workers", ready))).doesNotContain("last");
    // One has ended already.
    assertThat(groups.mayExist(Map.of("driver", ready, "workers", new Progress(1, 1, 0))))
        .contains("last");
  }

  @Test
  void whoDependsOnCompletionWaitsForAllJobsToSucceed() {
    StagedGroups groups =
        new StagedGroups(List.of(WORKERS, after("report", "workers", true)), false);
    assertThat(groups.mayExist(Map.of("workers", new Progress(2, 0, 0)))).containsOnly("workers");
    assertThat(groups.mayExist(Map.of("workers", new Progress(0, 1, 1)))).containsOnly("workers");
    assertThat(groups.mayExist(Map.of("workers", new Progress(0, 2, 0)))).contains("report");
  }

  @Test
  void whoDependsOnReadinessWaitsForIt() {
    StagedGroups groups =
        new StagedGroups(List.of(WORKERS, after("report", "workers", false)), false);
    assertThat(groups.mayExist(Map.of())).containsOnly("workers");
    assertThat(groups.mayExist(Map.of("workers", new Progress(2, 0, 0)))).contains("report");
  }

  @Test
  void aDependencyOnNothingIsNeverMet() {
    assertThat(new StagedGroups(List.of(after("a", "gone", false)), false).mayExist(Map.of()))
        .isEmpty();
  }

  @Test
  void ofAJobSetThePodsOfGroupsThatHaveNotStartedAreNotCounted() {
    String jobSet =
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: staged}
        spec:
          replicatedJobs:
          - {name: driver}
          - {name: workers, replicas: 2, dependsOn: [{name: driver, status: Complete}]}
        status:
          replicatedJobsStatus:
          - {name: driver, ready: 0, succeeded: %d, failed: 0, active: 0, suspended: 0}
        """;
    List<PodSetAssignment> podSets = List.of(podSet("driver", 1), podSet("workers", 8));
    assertThat(pods(ClusterKind.JOB_SET, jobSet.formatted(0), podSets)).isEqualTo(1);
    assertThat(pods(ClusterKind.JOB_SET, jobSet.formatted(1), podSets)).isEqualTo(9);
    assertThat(pods(ClusterKind.RAY_CLUSTER, "kind: RayCluster", podSets)).isEqualTo(9);
  }

  private static PodSetAssignment podSet(String name, int count) {
    return new PodSetAssignment(name, count, Collections.emptySortedMap(), ResourceList.NONE);
  }

  private static int pods(ClusterKind kind, String yaml, List<PodSetAssignment> podSets) {
    return StagedGroups.podsOf(
        kind, Serialization.unmarshal(yaml, GenericKubernetesResource.class), null, podSets);
  }
}
