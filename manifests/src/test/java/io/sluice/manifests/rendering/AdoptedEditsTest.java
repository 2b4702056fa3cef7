// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.manifests.foreign.PodSetPlace;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.AcceleratorRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is written into an object of a user's is taken out again, and nothing else is touched. */
class AdoptedEditsTest {
  private static final Path FOLDERS = Path.of("src/test/resources/foreign");
  private static final Set<ForeignKind> ADOPTED =
      EnumSet.of(
          ForeignKind.JOB, ForeignKind.JOB_SET, ForeignKind.RAY_JOB, ForeignKind.RAY_CLUSTER);

  private static List<ForeignJob> jobs() throws IOException {
    List<ForeignJob> jobs = new ArrayList<>();
    try (Stream<Path> folders = Files.list(FOLDERS)) {
      for (Path folder : folders.sorted().toList()) {
        if (!folder.getFileName().toString().startsWith("error-")) {
          jobs.addAll(ForeignReader.readAll(Files.readString(folder.resolve("in.yaml"))));
        }
      }
    }
    jobs.removeIf(job -> !ADOPTED.contains(job.kind()));
    assertThat(jobs.stream().map(ForeignJob::kind).distinct()).hasSameSizeAs(ADOPTED);
    return jobs;
  }

  /** As a cluster has it: with what only servers write. */
  private static ObjectNode there(ForeignJob job) {
    ObjectNode object = job.originals().get(0);
    ObjectNode metadata = PodTemplateEdits.object(object, "metadata");
    metadata.put("uid", "0c5ae5c2-8d0a-4a3e-b2a9-6e4d1bb4ed01").put("resourceVersion", "7");
    PodTemplateEdits.object(metadata, "annotations").put("example.com/kept", "yes");
    PodTemplateEdits.object(metadata, "labels").put("example.com/kept", "yes");
    PodTemplateEdits.object(object, "spec").put("suspend", true);
    return object;
  }

  @Test
  void whatIsTakenOutAgainIsAsItsUserWroteIt() throws IOException {
    for (ForeignJob job : jobs()) {
      ObjectNode before = there(job);
      ObjectNode first = AdoptedEdits.admit(before, job, Admissions.whole(job.spec(), 1));
      assertThat(first).as(job.spec().meta().name()).isNotEqualTo(before);
      assertThat(AdoptedEdits.restore(first, job)).isEqualTo(before);
      ObjectNode second = AdoptedEdits.admit(first, job, Admissions.whole(job.spec(), 2));
      assertThat(AdoptedEdits.restore(second, job)).isEqualTo(before);
    }
  }

  @Test
  void aRayClusterOfFewerSlicesIsGivenBackWithThoseThatItNames() throws IOException {
    for (String folder : List.of("raycluster-elastic", "rayjob-elastic")) {
      ForeignJob job =
          ForeignReader.readAll(Files.readString(FOLDERS.resolve(folder + "/in.yaml"))).get(0);
      AdmittedAttempt whole = Admissions.whole(job.spec(), 1);
      AcceleratorRequest request = Objects.requireNonNull(job.spec().accelerator());
      AdmittedAttempt fewer =
          new AdmittedAttempt(
              whole.key(),
              2,
              whole.podSets().stream()
                  .map(
                      podSet ->
                          podSet.name().equals("slices")
                              ? Admissions.slices("slices", request, request.slices().min())
                              : podSet)
                  .toList());
      ObjectNode before = there(job);
      ObjectNode admitted = AdoptedEdits.admit(before, job, fewer);
      PodSetPlace place =
          job.places().stream().filter(one -> one.podSet().equals("slices")).findFirst().get();
      assertThat(admitted.at(place.replicas()).intValue()).isEqualTo(request.slices().min());
      assertThat(admitted.at(place.template() + "/spec/containers/0/env/0/value").asText())
          .isEqualTo("" + request.slices().min());
      assertThat(AdoptedEdits.restore(admitted, job)).isEqualTo(before);
    }
  }

  @Test
  void anObjectKeepsItsNameAndSaysWhichItIsAndWhichAttempt() throws IOException {
    for (ForeignJob job : jobs()) {
      ObjectNode before = there(job);
      ObjectNode admitted = AdoptedEdits.admit(before, job, Admissions.whole(job.spec(), 3));
      assertThat(admitted.at("/metadata/name")).isEqualTo(before.at("/metadata/name"));
      assertThat(admitted.at("/metadata/resourceVersion").asText()).isEqualTo("7");
      assertThat(admitted.at("/metadata/annotations").path(AdoptedEdits.ADOPTED))
          .isEqualTo(before.at("/metadata/uid"));
      assertThat(admitted.at("/metadata/labels").path(AttemptLabels.ATTEMPT).asText())
          .isEqualTo("3");
      assertThat(admitted.at("/spec/suspend").asBoolean()).isTrue();
    }
  }

  @Test
  void whatPodsHaveToSayOfTheirSlicesIsInTheTemplatesAndGoesWithTheAttempt() throws IOException {
    Labels said = Labels.of(Map.of("autoscaling.x-k8s.io/consume-provisioning-request", "seek"));
    for (ForeignJob job : jobs()) {
      AdmittedAttempt whole = Admissions.whole(job.spec(), 1);
      AdmittedAttempt attempt =
          new AdmittedAttempt(
              whole.key(),
              whole.generation(),
              whole.podSets().stream().map(podSet -> saying(podSet, said)).toList());
      ObjectNode before = there(job);
      ObjectNode admitted = AdoptedEdits.admit(before, job, attempt);
      assertThat(admitted.at(job.places().get(0).template() + "/metadata/annotations").toString())
          .as(job.spec().meta().name())
          .contains("\"autoscaling.x-k8s.io/consume-provisioning-request\":\"seek\"");
      assertThat(AdoptedEdits.restore(admitted, job)).isEqualTo(before);
    }
  }

  @Test
  void aRayGroupSaysOnHowManyHostsAReplicaIsAndThatOneSliceHasIt() throws IOException {
    ForeignJob job =
        ForeignReader.readAll(Files.readString(FOLDERS.resolve("rayjob-elastic/in.yaml"))).get(0);
    ObjectNode admitted = AdoptedEdits.admit(there(job), job, Admissions.whole(job.spec(), 1));
    JsonNode workers = admitted.at("/spec/rayClusterSpec/workerGroupSpecs/0/template");
    assertThat(workers.at("/metadata/annotations/sluice.io~1hosts-per-slice").asText())
        .isEqualTo("4");
    assertThat(workers.at("/spec/affinity/podAffinity").toString())
        .contains("ray.io/worker-group-replica-name");
  }

  private static AdmittedPodSet saying(AdmittedPodSet podSet, Labels annotations) {
    return new AdmittedPodSet(
        podSet.name(),
        podSet.count(),
        podSet.nodeLabels(),
        podSet.tolerations(),
        podSet.slices(),
        annotations,
        podSet.domains());
  }

  @Test
  void aJobSetOnSeveralSlicesKeepsItsAffinityAndItsPodsWaitForTheirs() throws IOException {
    ForeignJob job =
        ForeignReader.readAll(Files.readString(FOLDERS.resolve("jobset-multislice/in.yaml")))
            .get(0);
    AdmittedAttempt attempt = Admissions.whole(job.spec(), 1);
    ObjectNode admitted = AdoptedEdits.admit(there(job), job, attempt);
    JsonNode spec = admitted.at(job.places().get(0).template()).path("spec");
    assertThat(spec.path("affinity"))
        .isEqualTo(there(job).at(job.places().get(0).template() + "/spec/affinity"));
    assertThat(spec.at("/schedulingGates/0/name").asText()).isEqualTo(AttemptLabels.GATE);

    ObjectNode pod = admitted.objectNode();
    pod.set("spec", spec.deepCopy());
    PodTemplateEdits.object(pod, "spec")
        .withArray("schedulingGates")
        .addObject()
        .put("name", "example.com/other");
    ObjectNode change = AdoptedEdits.ungate(pod, attempt.podSets().get(0));
    assertThat(change.path("schedulingGates").findValuesAsText("name"))
        .containsExactly("example.com/other");
    assertThat(change.path("affinity").toString()).contains("pool-0", "pool-1");
  }

  @Test
  void aPodIsOnlyNarrowedAndStaysGated() throws IOException {
    ForeignJob job =
        ForeignReader.readAll(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: one, uid: 0c5ae5c2-8d0a-4a3e-b2a9-6e4d1bb4ed01}
                spec:
                  schedulingGates: [{name: sluice.io/admission}, {name: example.com/other}]
                  nodeSelector: {cloud.google.com/gke-tpu-topology: 2x2,
                    cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, zone: a}
                  tolerations: [{key: own, operator: Exists}]
                  containers: [{name: main, image: a, resources: {requests: {google.com/tpu: 4}}}]
                """)
            .get(0);
    ObjectNode before = job.originals().get(0);
    AdmittedAttempt attempt = Admissions.whole(job.spec(), 2);
    ObjectNode admitted = AdoptedEdits.admitPod(before, job, 0, attempt);
    assertThat(admitted.at("/metadata/labels").path(AttemptLabels.ATTEMPT).asText()).isEqualTo("2");
    assertThat(admitted.at("/metadata/annotations").path(AdoptedEdits.ADOPTED))
        .isEqualTo(before.at("/metadata/uid"));
    assertThat(admitted.at("/spec/schedulingGates")).isEqualTo(before.at("/spec/schedulingGates"));
    before
        .at("/spec/nodeSelector")
        .properties()
        .forEach(
            selected ->
                assertThat(admitted.at("/spec/nodeSelector").path(selected.getKey()))
                    .isEqualTo(selected.getValue()));
    assertThat(admitted.at("/spec/nodeSelector").size())
        .isGreaterThan(before.at("/spec/nodeSelector").size());
    assertThat(admitted.at("/spec/tolerations/0")).isEqualTo(before.at("/spec/tolerations/0"));
  }

  @Test
  void ofOneSliceAJobSetNamesTheNodePool() throws IOException {
    ForeignJob job =
        ForeignReader.readAll(Files.readString(FOLDERS.resolve("jobset-multislice/in.yaml")))
            .get(0);
    AdmittedPodSet whole = Admissions.whole(job.spec(), 1).podSets().get(0);
    Slice only =
        new Slice(
            "pool-9",
            whole.slices().get(0).acceleratorType(),
            whole.slices().get(0).topology(),
            CapacityType.SPOT,
            Labels.NONE,
            whole.slices().get(0).hosts());
    AdmittedPodSet one =
        new AdmittedPodSet(
            whole.name(), whole.count(), Labels.NONE, whole.tolerations(), List.of(only));
    ObjectNode admitted = AdoptedEdits.admit(there(job), job, Admissions.attempt(1, List.of(one)));
    JsonNode spec = admitted.at(job.places().get(0).template()).path("spec");
    assertThat(spec.path("nodeSelector").path("cloud.google.com/gke-nodepool").asText())
        .isEqualTo("pool-9");
    assertThat(spec.has("schedulingGates")).isFalse();
  }
}
