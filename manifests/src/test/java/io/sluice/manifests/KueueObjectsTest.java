// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.manifests.foreign.KueueJobs;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.policy.Queueing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KueueObjectsTest {
  private static final int SEEDS = 500;
  private static final Path EXAMPLES = Path.of("../examples/kueue");
  private static final Path SHARED =
      Path.of(System.getProperty("shared.manifests", "../../shared/manifests"));

  private static List<Manifest> manifests(Path folder) throws IOException {
    List<Manifest> manifests = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        ManifestReader.readPlacedWithForeign(Files.readAllBytes(file), ReadingTerms.DEFAULT)
            .forEach(placed -> manifests.add(placed.manifest()));
      }
    }
    return manifests;
  }

  private static QuotaObject taken(ObjectNode given, ObjectKind kind) {
    return ManifestReader.readQuotaObject(kind, KueueObjects.take(given, null));
  }

  @Test
  void whatIsGivenAndTakenAgainIsEqual() {
    for (long seed = 0; seed < SEEDS; seed++) {
      QuotaObject object = new RandomObjects(seed).quotaObject();
      assertThat(taken(KueueObjects.give(object), object.kind()))
          .as("seed %d", seed)
          .isEqualTo(withoutModeOfKueue(object));
    }
  }

  /** Kueue's mode is the one of a queue that says none, so it is not given to Kueue. */
  private static QuotaObject withoutModeOfKueue(QuotaObject object) {
    ObjectNode manifest = ManifestWriter.toJson(object);
    if (object instanceof ClusterQueue queue
        && queue.meta().annotations().get(Queueing.ANNOTATION) != null
        && !queue.policies().queueing().isPlanned()) {
      ((ObjectNode) manifest.path("metadata").path("annotations")).remove(Queueing.ANNOTATION);
    }
    return ManifestReader.readQuotaObject(object.kind(), manifest);
  }

  @Test
  void aClusterQueueTakenWithoutItsChecksIsGivenBackWithThem() throws IOException {
    ObjectNode found =
        (ObjectNode)
            new ObjectMapper()
                .readTree(
                    """
                    {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
                     "metadata": {"name": "research"},
                     "spec": {"admissionChecksStrategy": {"admissionChecks": [
                         {"name": "provision", "onFlavors": ["spot"]}]}}}
                    """);
    ObjectNode taken = KueueObjects.take(found, null);
    assertThat(KueueObjects.leaveOutChecks(taken)).isTrue();
    QuotaObject here = ManifestReader.readQuotaObject(ObjectKind.CLUSTER_QUEUE, taken);
    ObjectNode given = KueueObjects.give(here);
    assertThat(given.at("/spec/admissionChecksStrategy"))
        .isEqualTo(found.at("/spec/admissionChecksStrategy"));
    assertThat(given.path("metadata").has("annotations")).isFalse();
  }

  @Test
  void theExamplesComeBackEqual() throws IOException {
    int count = 0;
    for (Manifest manifest : manifests(EXAMPLES)) {
      if (manifest instanceof Manifest.QuotaManifest quota) {
        QuotaObject object = quota.object();
        assertThat(taken(KueueObjects.give(object), object.kind())).isEqualTo(object);
        count++;
      }
    }
    assertThat(count).isGreaterThan(5);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // What a flavor says of its cluster itself goes before where it was found.
        "'nodeLabels: {pool: a}',                              -,     -",
        "'nodeLabels: {pool: a}',                              other, other",
        "'nodeLabels: {pool: a, sluice.io/cluster: first}',    -,     first",
      })
  void aFlavorOffersTheNodesOfTheClusterThatItWasFoundIn(
      String spec, String foundIn, String offers) {
    String text =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: cpu}
        spec: {%s}
        """
            .formatted(spec);
    QuotaObject object = ManifestReader.readQuotaObject(ObjectKind.RESOURCE_FLAVOR, text);
    ObjectNode found = KueueObjects.take(KueueObjects.give(object), foundIn);
    QuotaObject taken = ManifestReader.readQuotaObject(ObjectKind.RESOURCE_FLAVOR, found);
    ObjectNode given = KueueObjects.give(taken);

    assertThat(found.at("/spec/nodeLabels/sluice.io~1cluster").asText(null)).isEqualTo(offers);
    assertThat(given.at("/spec/nodeLabels/pool").asText()).isEqualTo("a");
    assertThat(given.at("/spec/nodeLabels/sluice.io~1cluster").isMissingNode()).isTrue();
    assertThat(given.at("/metadata/annotations/sluice.io~1cluster").asText(null)).isEqualTo(offers);
    assertThat(taken(given, ObjectKind.RESOURCE_FLAVOR)).isEqualTo(taken);
  }

  @Test
  void whatOnlyApiServersAndKubectlWriteIsNotTaken() {
    ObjectNode given =
        KueueObjects.give(
            ManifestReader.readQuotaObject(
                ObjectKind.LOCAL_QUEUE,
                """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: LocalQueue
                metadata: {name: main, namespace: team, annotations: {note: kept}}
                spec: {clusterQueue: research}
                """));
    QuotaObject object = taken(given, ObjectKind.LOCAL_QUEUE);
    given.putObject("status").put("pendingWorkloads", 7);
    ObjectNode metadata = (ObjectNode) given.get("metadata");
    metadata.put("uid", "0c5ae5c2-8d0a-4a3e-b2a9-6e4d1bb4ed01").put("resourceVersion", "7");
    metadata
        .withObjectProperty("annotations")
        .put("kubectl.kubernetes.io/last-applied-configuration", "{}");
    assertThat(taken(given, ObjectKind.LOCAL_QUEUE)).isEqualTo(object);
    assertThat(object.meta().annotations().entries()).containsOnlyKeys("note");
  }

  @Test
  void jobsOfTheExamplesWaitInKueueAsTheyWaitHere() throws IOException {
    assertThat(jobsComeBack(EXAMPLES)).isGreaterThanOrEqualTo(3);
  }

  @Test
  void jobsOfUsersWaitInKueueAsTheyWaitHere() throws IOException {
    assumeTrue(Files.isDirectory(SHARED), "no " + SHARED);
    assertThat(jobsComeBack(SHARED)).isGreaterThanOrEqualTo(3);
  }

  /** Returns how many there were. */
  private static int jobsComeBack(Path folder) throws IOException {
    int count = 0;
    for (Manifest manifest : manifests(folder)) {
      if (manifest instanceof Manifest.JobManifest job && job.documents() != null) {
        JobSpec spec = job.job();
        String namespace = spec.meta().namespace();
        List<ObjectNode> given = KueueJobs.give(job.documents(), namespace, "main");
        ObjectNode last = given.get(given.size() - 1);
        assertThat(last.at("/metadata/labels/kueue.x-k8s.io~1queue-name").asText())
            .isEqualTo("main");
        assertThat(last.at("/metadata/namespace").asText()).isEqualTo(namespace);
        if (!last.path("kind").asText().equals("PathwaysJob")) {
          assertThat(last.at("/spec/suspend").asBoolean()).as(last.path("kind").asText()).isTrue();
        }
        StringBuilder text = new StringBuilder();
        given.forEach(one -> text.append(ManifestWriter.writeYaml(one)));
        JobSpec again = ForeignReader.readAll(text.toString()).get(0).spec();
        assertThat(again.podSets()).isEqualTo(spec.podSets());
        assertThat(again.queue()).isEqualTo("main");
        count++;
      }
    }
    return count;
  }

  @Test
  void aSpecOfOursIsNoObjectOfKueues() {
    String spec =
        """
        {"apiVersion":"sluice.io/v1","kind":"Job","metadata":{"name":"one"},"spec":{}}""";
    assertThat(KueueJobs.give(spec, "team", "main")).isEmpty();
  }
}
