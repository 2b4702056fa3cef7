// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Manifest.JobManifest;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.JobSpec.PrioritySpec;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.QuotaObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is written is read back as it was, as a tree, as JSON and as YAML. */
class RoundTripTest {
  private static final int SEEDS = 500;

  @Test
  void quotaObjectsComeBackEqual() {
    for (long seed = 0; seed < SEEDS; seed++) {
      QuotaObject object = new RandomObjects(seed).quotaObject();
      ObjectNode tree = ManifestWriter.toJson(object);
      assertThat(ManifestReader.readQuotaObject(object.kind(), tree))
          .as("seed %d", seed)
          .isEqualTo(object);
      assertThat(ManifestReader.readQuotaObject(object.kind(), ManifestWriter.writeJson(tree)))
          .as("seed %d", seed)
          .isEqualTo(object);
      assertThat(ManifestReader.readQuotaObject(object.kind(), ManifestWriter.writeYaml(tree)))
          .as("seed %d", seed)
          .isEqualTo(object);
    }
  }

  @Test
  void jobsComeBackEqual() {
    for (long seed = 0; seed < SEEDS; seed++) {
      JobSpec job = new RandomObjects(seed).job();
      ObjectNode tree = ManifestWriter.toJson(job);
      assertThat(ManifestReader.readJob(tree)).as("seed %d", seed).isEqualTo(job);
      assertThat(ManifestReader.readJob(ManifestWriter.writeJson(tree)))
          .as("seed %d", seed)
          .isEqualTo(job);
      assertThat(ManifestReader.readJob(ManifestWriter.writeYaml(tree)))
          .as("seed %d", seed)
          .isEqualTo(job);
    }
  }

  @Test
  void fleetsComeBackEqual() {
    for (long seed = 0; seed < SEEDS / 2; seed++) {
      Fleet fleet = new RandomObjects(seed).fleet();
      ObjectNode tree = ManifestWriter.toJson(fleet);
      assertThat(ManifestReader.readFleet(tree)).as("seed %d", seed).isEqualTo(fleet);
      assertThat(ManifestReader.readFleet(ManifestWriter.writeYaml(tree)))
          .as("seed %d", seed)
          .isEqualTo(fleet);
    }
  }

  @Test
  void fleetAsPeopleWriteItIsNotExpandedWhenWritten() {
    Fleet fleet =
        ManifestReader.readFleet(
            """
            apiVersion: sluice.io/v1
            kind: Fleet
            spec:
              executor: local
              slices: [{name: s, count: 3, type: v6e, topology: 4x4, labels: {zone: a}}]
            """);
    ObjectNode tree = ManifestWriter.toJson(fleet);
    assertThat(tree.at("/spec/expanded").isMissingNode()).isTrue();
    assertThat(ManifestReader.readFleet(tree)).isEqualTo(fleet);
  }

  @Test
  void severalManifestsAreWrittenAsSeveralDocuments() {
    List<Manifest> manifests =
        List.of(
            new JobManifest(new RandomObjects(1).job()),
            new JobManifest(new RandomObjects(2).job()));
    assertThat(ManifestReader.readAll(ManifestWriter.writeYaml(manifests))).isEqualTo(manifests);
  }

  @Test
  void jobThatNoManifestCouldMakeIsNotWritten() {
    PodTemplate template =
        new PodTemplate(null, List.of("a"), Labels.NONE, ResourceList.NONE, Labels.NONE, List.of());
    JobSpec job =
        new JobSpec(
            ObjectMeta.named("team", "odd"),
            "main",
            PrioritySpec.NONE,
            List.of(new PodSetSpec("workers", 4, template)),
            new AcceleratorRequest("v6e", SliceTopology.parse("4x4"), 1, 4),
            JobLimits.DEFAULT,
            JobArray.SINGLE);
    assertThatThrownBy(() -> ManifestWriter.toJson(job))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("odd")
        .hasMessageContaining("v6e 4x4");
  }
}
