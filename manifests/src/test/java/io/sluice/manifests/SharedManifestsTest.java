// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.manifests.foreign.ElasticRange;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignMetadata;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.manifests.rendering.Admissions;
import io.sluice.manifests.rendering.ForeignRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Manifests as users have them, which stand beside the repository or where {@code
 * -Dshared.manifests} says, are read unchanged; where they are not there, nothing is tested.
 */
class SharedManifestsTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("shared.manifests", "../../shared/manifests"));

  @BeforeEach
  void needsTheFolder() {
    assumeTrue(Files.isDirectory(FOLDER), "no " + FOLDER);
  }

  private static ForeignJob only(String file) throws IOException {
    String text =
        Files.readString(FOLDER.resolve(file))
            .replace("${KSA_NAME}", "trainer")
            .replace("${GS_BUCKET}", "bucket");
    List<ForeignJob> jobs = ForeignReader.readAll(text);
    assertThat(jobs).hasSize(1);
    ForeignJob job = jobs.get(0);
    assertThat(ForeignRenderer.render(job, Admissions.whole(job.spec(), 1))).hasSize(1);
    return job;
  }

  @Test
  void twoSlicesOfAJobSetAreWholeSlices() throws IOException {
    ForeignJob job = only("jobset-multislice.yaml");
    assertThat(job.spec().accelerator()).hasToString("2 x v5p 4x4x4");
    assertThat(job.spec().podSets())
        .singleElement()
        .satisfies(it -> assertThat(it.count()).isEqualTo(32));
    assertThat(job.spec().queue()).isEqualTo("tpu");
  }

  @Test
  void aPathwaysJobHasAHeadAndMayMissASlice() throws IOException {
    ForeignJob job = only("pathwaysjob-elastic.yaml");
    assertThat(job.spec().accelerator()).hasToString("1..2 x v6e 4x4");
    assertThat(job.spec().podSets())
        .extracting(it -> it.name())
        .containsExactly("pathways-head", "worker");
    assertThat(job.elastic()).containsExactly(new ElasticRange("worker", 1, 2));
  }

  @Test
  void aRayClusterBringsItsClaimsAndAHead() throws IOException {
    ForeignJob job = only("raycluster-maxtext-multislice.yaml");
    assertThat(job.spec().accelerator()).hasToString("2 x v6e 4x4");
    assertThat(job.spec().podSets())
        .extracting(it -> it.name())
        .containsExactly("head", "tpu-group");
    assertThat(job.belongings())
        .singleElement()
        .satisfies(it -> assertThat(it.path("kind").asText()).isEqualTo("ResourceClaimTemplate"));
    assertThat(job.spec().queue()).isEqualTo(ForeignMetadata.DEFAULT_QUEUE);
  }

  @Test
  void aRayJobMayRunOnOneSliceOrTwo() throws IOException {
    ForeignJob job = only("rayjob-maxtext-elastic.yaml");
    assertThat(job.spec().accelerator()).hasToString("1..2 x v6e 4x4");
    assertThat(job.elastic()).containsExactly(new ElasticRange("tpu-group", 1, 2));
    assertThat(job.spec().computeClass()).isEqualTo("cost-optimized");
    assertThat(job.spec().priority().className()).isEqualTo("research");
  }

  @Test
  void theComputeClassIsReadAsAQuotaObject() throws IOException {
    String text = Files.readString(FOLDER.resolve("computeclass-cost-optimized.yaml"));
    assertThat(ManifestReader.readAll(text)).hasSize(1);
  }
}
