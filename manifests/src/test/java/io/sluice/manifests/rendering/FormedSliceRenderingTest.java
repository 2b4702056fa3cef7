// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FormedSliceRenderingTest {
  private static final String POOL = "cloud.google.com/gke-nodepool";

  @Test
  void podsOfASliceCutFromACubeSelectItsHostsAndNotTheNodePoolOfTheCube() throws IOException {
    JsonNode affinity = podAffinity("cube-3/4x4-1", Labels.of(Map.of(POOL, "cube-3")));

    assertThat(affinity.toString())
        .contains("\"key\":\"kubernetes.io/hostname\",\"operator\":\"In\"")
        .contains("\"values\":[\"node-4\",\"node-5\",\"node-6\",\"node-7\"]")
        .doesNotContain(POOL);
  }

  @Test
  void podsOfASliceThatIsOneNodeOfANodePoolSelectTheNode() throws IOException {
    JsonNode affinity =
        podAffinity(
            "west.node-4", Labels.of(Map.of(POOL, "single", "kubernetes.io/hostname", "node-4")));

    assertThat(affinity.toString()).contains("\"values\":[\"node-4\"]").doesNotContain(POOL);
  }

  @Test
  void podsOfASliceOfTheFleetSelectItsNodePool() throws IOException {
    assertThat(podAffinity("pool-3", Labels.of(Map.of(POOL, "pool-3"))).isMissingNode()).isTrue();
  }

  private static JsonNode podAffinity(String name, Labels labels) throws IOException {
    Path folder = Path.of("src/test/resources/rendered/two-slices");
    JobSpec job = ManifestReader.readJob(Files.readString(folder.resolve("in.yaml")));
    Slice slice =
        new Slice(
            name,
            "v6e",
            SliceTopology.parse("4x4"),
            CapacityType.SPOT,
            labels,
            List.of("node-4", "node-5", "node-6", "node-7"));
    List<AdmittedPodSet> podSets = new ArrayList<>();
    podSets.add(
        new AdmittedPodSet(job.podSets().get(0).name(), 4, Labels.NONE, List.of(), List.of(slice)));
    JsonNode object =
        JobRenderer.render(job, Admissions.attempt(1, podSets), AcceleratorCatalogue.BUILT_IN);
    return object
        .path("spec")
        .path("replicatedJobs")
        .path(0)
        .path("template")
        .path("spec")
        .path("template")
        .path("spec")
        .path("affinity");
  }
}
