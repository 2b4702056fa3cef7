// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.SeenPod;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What objects and pods say is read as what it means for the attempt. */
class ObservationTest {
  private static SeenPod pod(String status) {
    return SeenPod.of(
        Serialization.unmarshal(
            "---\n{metadata: {name: p}, status: %s}".formatted(status), Pod.class));
  }

  private static SeenPod.Trouble trouble(String status) {
    return Objects.requireNonNull(pod(status).trouble(), status);
  }

  private static GenericKubernetesResource owner(String status) {
    return Serialization.unmarshal(
        "---\n{apiVersion: x/v1, kind: X, metadata: {name: o}, status: %s}".formatted(status),
        GenericKubernetesResource.class);
  }

  private static SeenPod ended(int code, String reason) {
    return pod(
        "{phase: Failed, containerStatuses: [{name: c, state: {terminated: {exitCode: %d, reason: %s}}}]}"
            .formatted(code, reason));
  }

  @Test
  void aPodThatFailsSaysOfWhat() {
    assertThat(ended(3, "Error").trouble())
        .isEqualTo(
            new SeenPod.Trouble(
                FailureCause.EXIT_CODE, "pod p, container c ended with code 3", false));
    assertThat(ended(139, "Error").trouble())
        .isEqualTo(
            new SeenPod.Trouble(
                FailureCause.SIGNAL, "pod p, container c was ended by signal 11", false));
    assertThat(ended(137, "OOMKilled").trouble())
        .isEqualTo(
            new SeenPod.Trouble(
                FailureCause.SIGNAL, "pod p, container c was killed: out of memory", false));
    assertThat(trouble("{phase: Failed, reason: NodeLost}").cause())
        .isEqualTo(FailureCause.HOST_LOST);
  }

  @Test
  void whatTheClusterDidToAPodIsNotThePodsFault() {
    SeenPod.Trouble evicted =
        trouble(
            "{phase: Failed, reason: Evicted, message: 'disk is full', containerStatuses:"
                + " [{name: c, state: {terminated: {exitCode: 137}}}]}");
    assertThat(evicted.cause()).isEqualTo(FailureCause.HOST_LOST);
    assertThat(evicted.message()).contains("was evicted: disk is full");
    SeenPod.Trouble collected =
        trouble(
            "{phase: Failed, conditions: [{type: DisruptionTarget, status: 'True', reason:"
                + " DeletionByPodGC}]}");
    assertThat(collected.cause()).isEqualTo(FailureCause.HOST_LOST);
    assertThat(collected.message()).contains("DeletionByPodGC");
  }

  @Test
  void ofAPodThatFindsNoNodeItIsSaidWhyItDoesNotStart() {
    String conditions =
        "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: %s, message:"
            + " '0/2 nodes are available: 2 node(s) did not match pod affinity rules.'}]}";
    assertThat(Observation.startProgress(List.of(pod(conditions.formatted("Unschedulable"))), 2))
        .isEqualTo(
            "0 of its 2 pods have started; pod p has no node: 0/2 nodes are available: 2 node(s)"
                + " did not match pod affinity rules.");
    assertThat(Observation.startProgress(List.of(pod(conditions.formatted("SchedulingGated"))), 2))
        .isEqualTo("0 of its 2 pods have started");
    assertThat(
            Observation.startProgress(
                List.of(
                    pod(conditions.formatted("Unschedulable")),
                    pod(
                        "{phase: Pending, containerStatuses: [{name: c, state: {waiting: {reason:"
                            + " ErrImagePull}}}]}")),
                2))
        .contains("has no image");
  }

  @Test
  void anImageThatIsNotHadMayComeOrNever() {
    String waiting =
        "{phase: Pending, containerStatuses: [{name: c, state: {waiting: {reason: %s}}}]}";
    assertThat(trouble(waiting.formatted("ImagePullBackOff")).hopeless()).isFalse();
    assertThat(trouble(waiting.formatted("InvalidImageName")).hopeless()).isTrue();
    assertThat(pod(waiting.formatted("ContainerCreating")).trouble()).isNull();
    assertThat(pod(waiting.formatted("ImagePullBackOff")).begun()).isFalse();
  }

  @Test
  void anObjectHasStartedWhenAllItsPodsHave() {
    SeenPod running = pod("{phase: Running}");
    SeenPod pending = pod("{phase: Pending}");
    GenericKubernetesResource job = owner("{active: 2}");
    assertThat(Observation.of(ClusterKind.JOB, job, List.of(running, pending), 2).started())
        .isFalse();
    assertThat(Observation.of(ClusterKind.JOB, job, List.of(running, running), 2))
        .isEqualTo(new Observation(true, false, null));
  }

  @Test
  void conditionsSayHowAnObjectEnded() {
    GenericKubernetesResource done =
        owner(
            "{conditions: [{type: Suspended, status: 'False'}, {type: Completed, status: 'True'}]}");
    assertThat(Observation.of(ClusterKind.JOB_SET, done, List.of(), 4))
        .isEqualTo(new Observation(true, true, null));
    Observation late =
        Observation.of(
            ClusterKind.JOB,
            owner("{conditions: [{type: Failed, status: 'True', reason: DeadlineExceeded}]}"),
            List.of(),
            1);
    assertThat(late.failure())
        .isEqualTo(new Observation.Failure(FailureCause.TIME_LIMIT, "DeadlineExceeded: "));
    Observation notYet =
        Observation.of(
            ClusterKind.JOB,
            owner("{conditions: [{type: Failed, status: 'False'}]}"),
            List.of(),
            1);
    assertThat(notYet.over()).isFalse();
  }

  @Test
  void aRayJobThatWasStoppedHasFailed() {
    Observation stopped =
        Observation.of(
            ClusterKind.RAY_JOB,
            owner("{jobDeploymentStatus: Complete, jobStatus: STOPPED}"),
            List.of(),
            2);
    assertThat(stopped.finished()).isFalse();
    assertThat(stopped.failure()).isNotNull();
    assertThat(
            Observation.of(
                    ClusterKind.RAY_JOB,
                    owner("{jobDeploymentStatus: Complete, jobStatus: SUCCEEDED}"),
                    List.of(),
                    2)
                .finished())
        .isTrue();
  }

  @Test
  void podsByThemselvesEndTogether() {
    SeenPod good = pod("{phase: Succeeded}");
    assertThat(Observation.ofPods(Collections.nCopies(2, good), 3).finished()).isFalse();
    assertThat(Observation.ofPods(Collections.nCopies(3, good), 3).finished()).isTrue();
    assertThat(Observation.ofPods(List.of(good, ended(1, "Error")), 2).failure()).isNotNull();
  }
}
