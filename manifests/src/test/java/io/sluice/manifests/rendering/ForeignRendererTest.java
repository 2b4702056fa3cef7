// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.manifests.foreign.PathwaysExpansion;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.SliceRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What rendering changes in a foreign manifest, and what it cannot say. */
class ForeignRendererTest {
  private static final Path FOLDERS = Path.of("src/test/resources/foreign");

  private static final String REPLICA_TERM =
      "/spec/rayClusterSpec/workerGroupSpecs/0/template/spec/affinity/%s"
          + "/requiredDuringSchedulingIgnoredDuringExecution/0";

  /** All that admission decides about an object, and nothing of what its user wrote. */
  private static final Pattern DECIDED =
      Pattern.compile(
          "[-+] /metadata/(generateName|uid|resourceVersion)|[-~+] /metadata/name|- /status"
              + "|[+~] /spec/suspend"
              + "|\\+ (/\\S+)?/metadata/labels/sluice\\.io/(job-id|attempt|generation)"
              + "|\\+ /\\S*spec/nodeSelector/\\S+"
              + "|\\+ /\\S*spec/tolerations(/\\d+)?"
              + "|\\+ /\\S*nodeSelectorTerms(/\\d+/matchExpressions/\\d+)?"
              + "|\\+ /\\S*workerGroupSpecs/\\d+/template/metadata/annotations(/sluice.io/hosts-per-slice)?"
              + "|\\+ /\\S*spec/affinity/pod(Anti)?Affinity/\\S+"
              + "|\\+ /spec/schedulingGates(/\\d+(/name)?)?"
              + "|\\+ /spec/submitterPodTemplate/spec/(containers|restartPolicy)"
              + "|\\+ /spec/podTemplateOverrides(/\\d+/(targetJobs|spec/tolerations))?");

  private static List<ForeignJob> jobs() throws IOException {
    List<ForeignJob> jobs = new ArrayList<>();
    try (Stream<Path> folders = Files.list(FOLDERS)) {
      for (Path folder : folders.sorted().toList()) {
        if (!folder.getFileName().toString().startsWith("error-")) {
          jobs.addAll(ForeignReader.readAll(Files.readString(folder.resolve("in.yaml"))));
        }
      }
    }
    assertThat(jobs).hasSizeGreaterThan(10);
    return jobs;
  }

  private static ForeignJob job(String folder) throws IOException {
    return ForeignReader.readAll(Files.readString(FOLDERS.resolve(folder + "/in.yaml"))).get(0);
  }

  private static ObjectNode render(ForeignJob job, AdmittedPodSet... podSets) {
    AdmittedAttempt attempt = Admissions.attempt(1, List.of(podSets));
    return ForeignRenderer.render(job, attempt).get(0);
  }

  @Test
  void nothingButWhatAdmissionDecidesIsChanged() throws IOException {
    for (ForeignJob job : jobs()) {
      List<ObjectNode> originals = job.originals();
      List<ObjectNode> rendered = ForeignRenderer.render(job, Admissions.whole(job.spec(), 2));
      assertThat(rendered).hasSameSizeAs(originals);
      for (int i = 0; i < rendered.size(); i++) {
        ObjectNode before =
            job.kind() == ForeignKind.PATHWAYS_JOB
                ? PathwaysExpansion.expand(originals.get(i))
                : originals.get(i);
        assertThat(ChangedPaths.of(before, rendered.get(i)))
            .as("%s %s", job.kind(), job.spec().meta().name())
            .isNotEmpty()
            .allMatch(change -> DECIDED.matcher(change).matches());
      }
    }
  }

  @Test
  void theSameAttemptComesOutTheSameAndLeavesTheOriginalAlone() throws IOException {
    for (ForeignJob job : jobs()) {
      List<ObjectNode> originals = job.originals();
      AdmittedAttempt attempt = Admissions.whole(job.spec(), 3);
      List<ObjectNode> once = ForeignRenderer.render(job, attempt);
      once.forEach(ObjectNode::removeAll);
      List<ObjectNode> second = ForeignRenderer.render(job, attempt);
      assertThat(ForeignRenderer.render(job, attempt)).isEqualTo(second).isNotEqualTo(once);
      assertThat(job.originals()).isEqualTo(originals);
    }
  }

  @Test
  void whatWasRenderedAsksForWhatTheOriginalAskedFor() throws IOException {
    for (ForeignJob job : jobs()) {
      if (job.kind() == ForeignKind.TRAIN_JOB || job.kind() == ForeignKind.POD) {
        continue;
      }
      ObjectNode rendered = ForeignRenderer.render(job, Admissions.whole(job.spec(), 1)).get(0);
      JobSpec again = ForeignReader.readAll(rendered.toString()).get(0).spec();
      AcceleratorRequest asked = job.spec().accelerator();
      if (asked != null && job.kind() == ForeignKind.PATHWAYS_JOB) {
        // The JobSet that it stands for has no words for a range.
        asked =
            new AcceleratorRequest(
                asked.type(), asked.topology(), asked.slices().max(), asked.hostsPerSlice());
      }
      assertThat(again.accelerator()).isEqualTo(asked);
      assertThat(again.podSets())
          .extracting(podSet -> podSet.name() + podSet.count() + podSet.template().requests())
          .containsExactlyElementsOf(
              job.spec().podSets().stream()
                  .map(podSet -> podSet.name() + podSet.count() + podSet.template().requests())
                  .toList());
    }
  }

  @Test
  void aJobThatWasAdmittedWithFewerPodsIsToCompleteAsMany() throws IOException {
    ObjectNode rendered = render(job("job-that-may-shrink"), Admissions.pods("main", 6));
    assertThat(rendered.at("/spec/parallelism").intValue()).isEqualTo(6);
    assertThat(rendered.at("/spec/completions").intValue()).isEqualTo(6);
    assertThat(rendered.at("/metadata/name").textValue()).isEqualTo("sweep");
  }

  @Test
  void anElasticRayJobIsGivenWholeSlices() throws IOException {
    ForeignJob job = job("rayjob-elastic");
    AcceleratorRequest request = Objects.requireNonNull(job.spec().accelerator());
    AdmittedPodSet head = Admissions.pods("head", 1);
    AdmittedPodSet submitter = Admissions.pods("submitter", 1);
    for (int slices = 1; slices <= 4; slices++) {
      AdmittedPodSet workers = Admissions.slices("slices", request, slices);
      ObjectNode rendered = render(job, head, workers, submitter);
      assertThat(rendered.at("/spec/rayClusterSpec/workerGroupSpecs/0/replicas").intValue())
          .isEqualTo(slices);
    }
    assertThatThrownBy(() -> render(job, head, Admissions.pods("slices", 6), submitter))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("4 a replica");
  }

  @Test
  void aReplicaOfARayGroupIsOnOneSliceAndNoOtherIsThere() throws IOException {
    ForeignJob job = job("rayjob-elastic");
    AdmittedPodSet head = Admissions.pods("head", 1);
    AdmittedPodSet submitter = Admissions.pods("submitter", 1);
    AcceleratorRequest request = Objects.requireNonNull(job.spec().accelerator());
    ObjectNode two = render(job, head, Admissions.slices("slices", request, 2), submitter);
    assertThat(two.at(REPLICA_TERM.formatted("podAffinity")).toString())
        .isEqualTo(
            "{\"topologyKey\":\"cloud.google.com/gke-nodepool\","
                + "\"labelSelector\":{\"matchLabels\":{\"sluice.io/job-id\":\""
                + Admissions.ID
                + "\"}},\"matchLabelKeys\":[\"ray.io/group\","
                + "\"ray.io/worker-group-replica-name\",\"replicaIndex\"]}");
    assertThat(two.at(REPLICA_TERM.formatted("podAntiAffinity")).toString())
        .endsWith(
            "\"matchLabelKeys\":[\"ray.io/group\"],"
                + "\"mismatchLabelKeys\":[\"ray.io/worker-group-replica-name\",\"replicaIndex\"]}");
    ObjectNode one = render(job, head, Admissions.slices("slices", request, 1), submitter);
    assertThat(one.toString()).doesNotContain("Affinity");
  }

  @Test
  void aRayGroupThatSaysItselfWhoSharesANodePoolIsLeftToIt() throws IOException {
    String own =
        "{\"requiredDuringSchedulingIgnoredDuringExecution\":[{\"topologyKey\":"
            + "\"cloud.google.com/gke-nodepool\",\"labelSelector\":{}}]}";
    ObjectNode written = job("rayjob-elastic").originals().get(0);
    ObjectNode spec =
        (ObjectNode) written.at("/spec/rayClusterSpec/workerGroupSpecs/0/template/spec");
    spec.putObject("affinity").set("podAffinity", new ObjectMapper().readTree(own));
    ForeignJob job = ForeignReader.readAll(written.toString()).get(0);
    ObjectNode rendered = ForeignRenderer.render(job, Admissions.whole(job.spec(), 1)).get(0);
    String affinity = "/spec/rayClusterSpec/workerGroupSpecs/0/template/spec/affinity";
    assertThat(rendered.at(affinity + "/podAffinity").toString()).isEqualTo(own);
    assertThat(rendered.at(affinity).has("podAntiAffinity")).isFalse();
    assertThat(rendered.at(affinity).has("nodeAffinity")).isTrue();
  }

  @Test
  void aRayClusterOfFewerOrMoreSlicesSaysSoWithinItsOwnBounds() throws IOException {
    ForeignJob job = job("raycluster-elastic");
    AcceleratorRequest request = Objects.requireNonNull(job.spec().accelerator());
    assertThat(request.slices()).isEqualTo(new SliceRange(2, 3));
    ObjectNode whole = ForeignRenderer.render(job, Admissions.whole(job.spec(), 1)).get(0);
    for (int slices : List.of(2, 4)) {
      ObjectNode rendered =
          render(
              job,
              Admissions.pods("head", 1),
              Admissions.pods("loaders", 4),
              Admissions.slices("slices", request, slices),
              Admissions.pods("whole", 2));
      assertThat(rendered.at("/spec/workerGroupSpecs/1/replicas").intValue()).isEqualTo(slices);
      assertThat(rendered.at("/spec/workerGroupSpecs/1/template/spec/containers/0/env").toString())
          .contains("\"MEGASCALE_NUM_SLICES\",\"value\":\"" + slices + "\"")
          .contains("\"MEGASCALE_PORT\",\"value\":\"9915\"");
      assertThat(ChangedPaths.of(whole, rendered))
          .filteredOn(change -> !change.contains("/affinity/"))
          .containsExactlyInAnyOrder(
              "~ /spec/workerGroupSpecs/1/replicas",
              "~ /spec/workerGroupSpecs/1/template/spec/containers/0/env/0/value");
    }
  }

  @Test
  void aPathwaysJobWithFewerSlicesMissesNoneOfThemAndKeepsItsLeast() throws IOException {
    ForeignJob job = job("pathwaysjob-elastic");
    AcceleratorRequest request = Objects.requireNonNull(job.spec().accelerator());
    assertThat(request.slices()).isEqualTo(new SliceRange(1, 3));
    AdmittedPodSet head = Admissions.pods("pathways-head", 1);
    for (int slices = 1; slices <= 3; slices++) {
      ObjectNode rendered = render(job, head, Admissions.slices("worker", request, slices));
      assertThat(rendered.at("/spec/replicatedJobs/1/replicas").intValue()).isEqualTo(slices);
      assertThat(rendered.toString()).contains("--instance_count=" + slices + "\"");
      String missing = "--num_elastic_slices=";
      if (slices == 1) {
        assertThat(rendered.toString()).doesNotContain(missing);
      } else {
        assertThat(rendered.toString()).contains(missing + (slices - 1) + "\"");
      }
    }
  }

  @Test
  void podsThatSelectOtherNodesAreNotSentThere() throws IOException {
    AdmittedPodSet elsewhere =
        new AdmittedPodSet(
            "main", 10, Labels.of(Map.of("kubernetes.io/arch", "arm64")), List.of(), List.of());
    assertThatThrownBy(() -> render(job("job-that-may-shrink"), elsewhere))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("pods select kubernetes.io/arch: amd64, and were admitted to arm64");
  }

  @Test
  void aPodSetThatWasGivenNothingIsNotRendered() throws IOException {
    assertThatThrownBy(() -> render(job("rayjob-over-http")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("pod set head was admitted with nothing");
  }

  @Test
  void onlyObjectsWhoseNameNobodyUsesGetOneOfTheirAttempt() throws IOException {
    for (ForeignJob job : jobs()) {
      String first = nameOf(job, 1);
      String second = nameOf(job, 12);
      boolean indexed =
          job.originals().get(0).at("/spec/completionMode").asText().equals("Indexed");
      boolean renamed =
          switch (job.kind()) {
            case JOB -> !indexed;
            case RAY_JOB, TRAIN_JOB -> true;
            case JOB_SET, RAY_CLUSTER, PATHWAYS_JOB, POD -> false;
          };
      assertThat(second).isEqualTo(renamed ? first + "-a12" : first);
    }
  }

  private static String nameOf(ForeignJob job, int attempt) {
    return ForeignRenderer.render(job, Admissions.whole(job.spec(), attempt))
        .get(0)
        .at("/metadata/name")
        .textValue();
  }

  @Test
  void longNamesStayDifferentAndShortEnough() {
    String one = "a".repeat(70) + "1";
    String other = "a".repeat(70) + "2";
    assertThat(ObjectNames.fit(one, 63)).hasSize(63).isNotEqualTo(ObjectNames.fit(other, 63));
    assertThat(ObjectNames.fit("short", 63)).isEqualTo("short");
    assertThat(ObjectNames.own("9.lives", Admissions.attempt(7, List.of()).key(), 63))
        .isEqualTo("j-9-lives-6789abcd-a7");
  }
}
