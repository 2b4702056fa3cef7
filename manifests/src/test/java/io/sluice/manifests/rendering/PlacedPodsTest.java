// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyAssignment.Domain;
import io.sluice.queuemodel.quantity.ResourceList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How pods that were placed by a topology are told where they go. */
class PlacedPodsTest {
  private static final String GATES = "/spec/schedulingGates";
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: train, namespace: default, uid: 0c5ae5c2-8d0a-4a3e-b2a9-6e4d1bb4ed01}
      spec:
        parallelism: 3
        completions: 3
        suspend: true
        template:
          metadata: {labels: {app: train}}
          spec:
            restartPolicy: Never
            schedulingGates: [{name: example.com/other}]
            containers: [{name: main, image: a, resources: {requests: {cpu: 1}}}]
      """;

  private static AdmittedPodSet placed(String name, int count, List<Domain> domains) {
    TopologyAssignment where =
        new TopologyAssignment(
            List.of("rack", "kubernetes.io/hostname"), domains, ResourceList.NONE);
    return new AdmittedPodSet(
        name,
        count,
        Labels.of(Map.of("pool", "batch")),
        List.of(),
        List.of(),
        Labels.NONE,
        AdmittedDomain.of(where));
  }

  private static Domain host(String rack, String host, int pods) {
    return new Domain(List.of(rack, host), pods);
  }

  private static ForeignJob read(String documents) {
    return ForeignReader.readAll(documents).get(0);
  }

  private static AdmittedAttempt attempt(ForeignJob job, List<Domain> domains) {
    String podSet = job.places().get(0).podSet();
    return Admissions.attempt(1, List.of(placed(podSet, 3, domains)));
  }

  private static JsonNode template(ForeignJob job, List<Domain> domains) {
    return ForeignRenderer.render(job, attempt(job, domains)).get(0).at("/spec/template");
  }

  @Test
  void podsThatAllGoToOneDomainSelectItsNodes() {
    JsonNode template = template(read(JOB), List.of(host("a", "node-1", 3)));
    assertThat(template.at("/spec/nodeSelector").toString())
        .isEqualTo("{\"pool\":\"batch\",\"kubernetes.io/hostname\":\"node-1\",\"rack\":\"a\"}");
    assertThat(template.at("/spec/schedulingGates").findValuesAsText("name"))
        .containsExactly("example.com/other");
  }

  @Test
  void podsThatGoToSeveralWaitEachForItsOwn() {
    ForeignJob job = read(JOB);
    List<Domain> domains = List.of(host("a", "node-1", 2), host("b", "node-2", 1));
    JsonNode template = template(job, domains);
    assertThat(template.at("/spec/nodeSelector").toString()).isEqualTo("{\"pool\":\"batch\"}");
    assertThat(template.at("/spec/schedulingGates").findValuesAsText("name"))
        .containsExactly("example.com/other", AttemptLabels.GATE);
    AdmittedPodSet admitted = attempt(job, domains).podSets().get(0);
    assertThat(template.at("/metadata/labels").path(AttemptLabels.POD_SET).asText())
        .isEqualTo(admitted.name());

    ObjectNode pod = template.deepCopy();
    ObjectNode change = AdoptedEdits.ungate(pod, admitted.in(admitted.domains().get(1)));
    assertThat(change.path("nodeSelector").toString())
        .isEqualTo("{\"pool\":\"batch\",\"kubernetes.io/hostname\":\"node-2\",\"rack\":\"b\"}");
    assertThat(change.path("schedulingGates").findValuesAsText("name"))
        .containsExactly("example.com/other");
  }

  @Test
  void anAdoptedObjectIsAgainAsItsUserWroteItAfterItsPodsWaitedForTheirPlaces() {
    ForeignJob job = read(JOB);
    ObjectNode before = job.originals().get(0);
    List<Domain> domains = List.of(host("a", "node-1", 2), host("b", "node-2", 1));
    ObjectNode admitted = AdoptedEdits.admit(before, job, attempt(job, domains));
    assertThat(admitted.at("/spec/template/spec/schedulingGates").findValuesAsText("name"))
        .containsExactly("example.com/other", AttemptLabels.GATE);
    assertThat(admitted.at("/spec/template/metadata/labels/app").asText()).isEqualTo("train");
    assertThat(AdoptedEdits.restore(admitted, job)).isEqualTo(before);
  }

  @Test
  void eachPodOfAGroupSelectsTheNodesOfItsOwnDomain() {
    StringBuilder pods = new StringBuilder();
    for (int number = 0; number < 3; number++) {
      pods.append(
          """
          ---
          apiVersion: v1
          kind: Pod
          metadata:
            name: pod-%d
            namespace: default
            labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/pod-group-name: group}
            annotations: {kueue.x-k8s.io/pod-group-total-count: "3"}
          spec: {containers: [{name: main, image: a, resources: {requests: {cpu: 1}}}]}
          """
              .formatted(number));
    }
    ForeignJob job = read(pods.toString());
    AdmittedAttempt attempt = attempt(job, List.of(host("a", "node-1", 2), host("b", "node-2", 1)));
    List<String> created = new ArrayList<>();
    List<String> adopted = new ArrayList<>();
    List<ObjectNode> rendered = ForeignRenderer.render(job, attempt);
    for (int number = 0; number < 3; number++) {
      ObjectNode written = job.originals().get(number);
      created.add(host(rendered.get(number)));
      adopted.add(host(AdoptedEdits.admitPod(written, job, number, attempt)));
    }
    assertThat(created).containsExactly("node-1", "node-1", "node-2");
    assertThat(adopted).isEqualTo(created);
  }

  @Test
  void podsOfSeveralSlicesAreToldTheirsUnlessTheJobSetSaysWhoSharesANodePool() throws IOException {
    String text = Files.readString(Path.of("src/test/resources/foreign/jobset-multislice/in.yaml"));
    ForeignJob exclusive = read(text);
    AdmittedAttempt attempt = Admissions.whole(exclusive.spec(), 1);
    String pods = String.valueOf(exclusive.places().get(0).template());
    assertThat(rendered(exclusive, attempt).at(pods + GATES).isMissingNode()).isTrue();

    ObjectNode written = exclusive.originals().get(0);
    ((ObjectNode) written.path("metadata")).remove("annotations");
    ForeignJob silent = read(written.toString());
    JsonNode template = rendered(silent, attempt).at(pods);
    assertThat(template.at(GATES).findValuesAsText("name")).containsExactly(AttemptLabels.GATE);
    AdmittedPodSet apart = attempt.podSets().get(0).apart();
    assertThat(apart.domains()).extracting(AdmittedDomain::count).containsExactly(16, 16, 16);
    ObjectNode change = AdoptedEdits.ungate(template.deepCopy(), apart.in(apart.domains().get(1)));
    assertThat(change.path("nodeSelector").path("cloud.google.com/gke-nodepool").asText())
        .isEqualTo("pool-1");

    ObjectNode adopted = AdoptedEdits.admit(written, silent, attempt);
    assertThat(adopted.at(pods + "/metadata/labels").has(AttemptLabels.POD_SET)).isTrue();
    assertThat(AdoptedEdits.restore(adopted, silent).at(pods)).isEqualTo(written.at(pods));
  }

  private static ObjectNode rendered(ForeignJob job, AdmittedAttempt attempt) {
    return ForeignRenderer.render(job, attempt).get(0);
  }

  private static String host(JsonNode pod) {
    return pod.at("/spec/nodeSelector").path("kubernetes.io/hostname").asText();
  }
}
