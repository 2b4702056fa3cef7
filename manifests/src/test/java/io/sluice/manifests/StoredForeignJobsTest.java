// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.PlacedManifest;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A job of Kubernetes that was stored is the job that was submitted. */
class StoredForeignJobsTest {
  static List<Path> folders() throws IOException {
    try (Stream<Path> folders = Files.list(Path.of("src/test/resources/foreign"))) {
      return folders
          .filter(it -> !it.getFileName().toString().startsWith("error"))
          .sorted()
          .toList();
    }
  }

  private static List<PlacedManifest> read(String text) {
    return ManifestReader.readPlacedWithForeign(
        text.getBytes(StandardCharsets.UTF_8), ReadingTerms.DEFAULT);
  }

  @ParameterizedTest
  @MethodSource("folders")
  void whatIsStoredOfAManifestIsAllOfIt(Path folder) throws IOException {
    String text = Files.readString(folder.resolve("in.yaml"));
    List<ForeignJob> submitted = ForeignReader.readAll(text);
    List<PlacedManifest> placed = read(text);
    assertThat(placed).hasSameSizeAs(submitted);
    for (int number = 0; number < submitted.size(); number++) {
      Manifest.JobManifest manifest = (Manifest.JobManifest) placed.get(number).manifest();
      String stored = String.valueOf(manifest.documents());
      assertThat(ManifestReader.readStoredJob(stored)).isEqualTo(manifest);
      // Numbers may be of another width in memory; as texts they are the same.
      assertThat(ForeignReader.readAll(stored))
          .singleElement()
          .hasToString(submitted.get(number).toString());
    }
  }

  @Test
  void whereAPathwaysControllerRunsPathwaysJobsAreLeftToItAndStoredOnesStayReadable()
      throws IOException {
    byte[] text =
        Files.readAllBytes(Path.of("src/test/resources/foreign/pathwaysjob-headless/in.yaml"));
    ReadingTerms terms = Configuration.DEFAULT.withoutPathwaysJobs().readingTerms();
    assertThatThrownBy(() -> ManifestReader.readPlacedWithForeign(text, terms))
        .isInstanceOf(InvalidManifestException.class)
        .hasMessageContaining("PathwaysJob")
        .hasMessageContaining("create it with kubectl");
    Manifest.JobManifest stored =
        (Manifest.JobManifest)
            ManifestReader.readPlacedWithForeign(text, Configuration.DEFAULT.readingTerms())
                .get(0)
                .manifest();
    assertThat(ManifestReader.readStoredJob(String.valueOf(stored.documents()))).isEqualTo(stored);
  }

  @Test
  void jobsStandBesideQuotaObjectsAndAreCountedAsDocuments() {
    List<PlacedManifest> placed =
        read(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ResourceFlavor
            metadata: {name: cpu}
            ---
            apiVersion: batch/v1
            kind: Job
            metadata: {name: trainer, labels: {kueue.x-k8s.io/queue-name: main}}
            spec:
              template:
                spec:
                  containers: [{name: main, image: x, resources: {requests: {cpu: 1}}}]
            ---
            apiVersion: sluice.io/v1
            kind: Job
            metadata: {name: own}
            spec: {queue: main, image: x, requests: {cpu: 1}}
            """);
    assertThat(placed).extracting(PlacedManifest::document).containsExactly(1, 2, 3);
    assertThat(placed)
        .extracting(it -> it.manifest().meta().name())
        .containsExactly("cpu", "trainer", "own");
  }

  @Test
  void whatStandsBesideNoJobIsRefused() {
    assertThatThrownBy(() -> read("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: alone}"))
        .isInstanceOf(InvalidManifestException.class)
        .hasMessageContaining("must accompany a job");
  }
}
