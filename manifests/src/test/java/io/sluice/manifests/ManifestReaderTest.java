// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest.JobManifest;
import io.sluice.manifests.document.Manifest.QuotaManifest;
import io.sluice.manifests.document.PlacedManifest;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.policy.AdmissionMode;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.LabelSelector;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestReaderTest {
  private static final String COHORT =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: c}\n";
  private static final String JOB =
      "apiVersion: sluice.io/v1\nkind: Job\nspec: {queue: main, command: [a]}\n";

  @Test
  void documentsComeInTheirOrder() {
    assertThat(ManifestReader.readAll(COHORT + "---\n" + JOB))
        .hasExactlyElementsOfTypes(QuotaManifest.class, JobManifest.class);
  }

  @Test
  void nothingComesOfNothing() {
    assertThat(ManifestReader.readAll("")).isEmpty();
    assertThat(ManifestReader.readAll("# a comment\n---\n---\n")).isEmpty();
  }

  @Test
  void oneObjectMustBeTheOnlyOne() {
    assertThatThrownBy(() -> ManifestReader.readJob(""))
        .isInstanceOf(InvalidManifestException.class)
        .hasMessage("must hold one Job, and holds 0");
    assertThatThrownBy(() -> ManifestReader.readJob(JOB + "---\n" + JOB))
        .isInstanceOf(InvalidManifestException.class)
        .hasMessage("must hold one Job, and holds 2");
  }

  @Test
  void oneObjectMustBeOfTheKindThatIsAskedFor() {
    assertThatThrownBy(() -> ManifestReader.readQuotaObject(ObjectKind.CLUSTER_QUEUE, COHORT))
        .isInstanceOf(InvalidManifestException.class)
        .hasMessage("kind \"Cohort\": must be ClusterQueue here");
    assertThatThrownBy(() -> ManifestReader.readJob(COHORT))
        .hasMessage("kind \"Cohort\": must be Job here");
    assertThatThrownBy(() -> ManifestReader.readFleet(JOB))
        .hasMessage("kind \"Job\": must be Fleet here");
  }

  @Test
  void queueWithoutSpecHasTheDefaultsOfKueueAndIsOpenToNobody() {
    ClusterQueue queue =
        (ClusterQueue)
            ManifestReader.readQuotaObject(
                ObjectKind.CLUSTER_QUEUE,
                "{\"apiVersion\":\"kueue.x-k8s.io/v1beta2\",\"kind\":\"ClusterQueue\","
                    + "\"metadata\":{\"name\":\"q\"}}");
    QueuePolicies open = QueuePolicies.DEFAULT;
    assertThat(queue.policies())
        .isEqualTo(
            new QueuePolicies(
                open.queueingStrategy(),
                open.preemption(),
                open.flavorFungibility(),
                open.stopPolicy(),
                null,
                FairWeight.ONE,
                AdmissionMode.NO_FAIR_SHARING));
  }

  @Test
  void emptySelectorIsOpenToEverybody() {
    ClusterQueue queue =
        (ClusterQueue)
            ManifestReader.readQuotaObject(
                ObjectKind.CLUSTER_QUEUE,
                """
                apiVersion: kueue.x-k8s.io/v1beta1
                kind: ClusterQueue
                metadata: {name: q}
                spec: {namespaceSelector: {}}
                """);
    assertThat(queue.policies()).isEqualTo(QueuePolicies.DEFAULT);
    assertThat(queue.policies().namespaceSelector()).isEqualTo(LabelSelector.EVERYTHING);
  }

  @Test
  void jobIsGivenWhatItDoesNotSay() {
    JobSpec job = ManifestReader.readJob(JOB);
    assertThat(job.meta()).isEqualTo(ObjectMeta.named("default", "job"));
    assertThat(job.limits()).isEqualTo(JobLimits.DEFAULT);
    assertThat(job.array()).isEqualTo(JobArray.SINGLE);
    assertThat(job.podSets()).extracting(PodSetSpec::name).containsExactly("main");
    assertThat(job.podSets()).extracting(PodSetSpec::count).containsExactly(1);
  }

  @Test
  void acceleratorMakesOnePodAHostWithAllItsChips() {
    JobSpec job =
        ManifestReader.readJob(
            """
            apiVersion: sluice.io/v1
            kind: Job
            spec:
              queue: main
              command: [a]
              requests: {cpu: 2}
              accelerator: {type: v6e, topology: 4x8, slices: 3}
            """);
    assertThat(job.accelerator())
        .isEqualTo(new AcceleratorRequest("v6e", SliceTopology.parse("4x8"), 3, 8));
    assertThat(job.podSets())
        .singleElement()
        .satisfies(
            workers -> {
              assertThat(workers.name()).isEqualTo("workers");
              assertThat(workers.count()).isEqualTo(24);
              assertThat(workers.template().requests().get(ResourceName.TPU)).isEqualTo(4);
              assertThat(workers.template().requests().get(ResourceName.CPU)).isEqualTo(2000);
            });
  }

  @Test
  void podSetWithACommandOfItsOwnDoesNotTakeTheSpecsArguments() {
    JobSpec job =
        ManifestReader.readJob(
            """
            apiVersion: sluice.io/v1
            kind: Job
            spec:
              queue: main
              command: [a]
              args: [b]
              podSets:
              - {name: plain}
              - {name: own-command, command: [c]}
              - {name: own-args, args: [d]}
              - {name: no-args, args: []}
            """);
    assertThat(job.podSets())
        .extracting(podSet -> podSet.template().command())
        .containsExactly(List.of("a", "b"), List.of("c"), List.of("a", "d"), List.of("a"));
  }

  @Test
  void slicesAndTheirHostsCarryTheLabelsOfGke() {
    Fleet fleet =
        ManifestReader.readFleet(
            """
            apiVersion: sluice.io/v1
            kind: Fleet
            spec:
              executor: local
              slices:
              - {name: v6e, count: 2, type: v6e, topology: 4x4, capacityType: spot, labels: {zone: a}}
              hosts:
              - {name: cpu, capacity: {cpu: 16}}
            """);
    Slice slice = fleet.slices().get(1);
    assertThat(fleet.executor()).isEqualTo(ExecutorKind.LOCAL);
    assertThat(slice.name()).isEqualTo("v6e-1");
    assertThat(slice.capacityType()).isEqualTo(CapacityType.SPOT);
    assertThat(slice.hosts()).containsExactly("v6e-1-0", "v6e-1-1", "v6e-1-2", "v6e-1-3");
    assertThat(slice.labels().entries())
        .containsOnlyKeys(
            "cloud.google.com/gke-nodepool",
            "cloud.google.com/gke-spot",
            "cloud.google.com/gke-tpu-accelerator",
            "cloud.google.com/gke-tpu-topology",
            "zone")
        .containsEntry("cloud.google.com/gke-nodepool", "v6e-1")
        .containsEntry("cloud.google.com/gke-spot", "true")
        .containsEntry("cloud.google.com/gke-tpu-accelerator", "tpu-v6e-slice")
        .containsEntry("cloud.google.com/gke-tpu-topology", "4x4");
    assertThat(fleet.hosts().get(4).labels().get("kubernetes.io/hostname")).isEqualTo("v6e-1-0");
    assertThat(fleet.hosts().get(4).labels().containsAll(slice.labels())).isTrue();
    assertThat(fleet.hosts().get(4).capacity().get(ResourceName.TPU)).isEqualTo(4);
    assertThat(fleet.hosts()).last().satisfies(host -> assertThat(host.name()).isEqualTo("cpu"));
  }

  @Test
  void largestFleetIsRead() {
    Fleet fleet =
        ManifestReader.readFleet(
            """
            apiVersion: sluice.io/v1
            kind: Fleet
            spec:
              executor: simulated
              slices: [{name: v6e, count: 25000, type: v6e, topology: 4x4}]
            """);
    assertThat(fleet.hosts()).hasSize(100_000);
  }

  @Test
  void violationsOfAllDocumentsAreToldAtOnceWithTheirNumbers() {
    assertThatThrownBy(
            () ->
                ManifestReader.readAll(
                    JOB.replace("main", "Main") + "---\n" + JOB + "---\n" + COHORT + "x: 1\n"))
        .isInstanceOf(InvalidManifestException.class)
        .satisfies(
            thrown ->
                assertThat(((InvalidManifestException) thrown).violations())
                    .extracting(Violation::document, Violation::path, Violation::value)
                    .containsExactly(tuple(1, "spec.queue", "Main"), tuple(3, "x", "1")));
  }

  @Test
  void eachManifestKnowsWhereItStandsInTheInput() {
    String text =
        """
        ---
        # blank
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: one}
        ---
        apiVersion: v1
        kind: List
        items:
        - apiVersion: kueue.x-k8s.io/v1beta2
          kind: ResourceFlavor
          metadata: {name: two}
        """;
    List<PlacedManifest> placed = ManifestReader.readPlaced(text.getBytes(StandardCharsets.UTF_8));
    List<Violation> located =
        placed.stream()
            .map(one -> one.locate(new Violation(1, "spec.a", "x", "is wrong")))
            .toList();
    assertThat(located)
        .containsExactly(
            new Violation(2, "spec.a", "x", "is wrong"),
            new Violation(3, "items[0].spec.a", "x", "is wrong"));
  }
}
