// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Pods of a group that has two slices of two hosts are told which of them they are on. */
class GroupPlacesTest {
  private static final List<String> NAMES = List.of("w-10", "w-9", "w-2", "w-11");

  private static ForeignJob group(IntFunction<String> name, IntFunction<String> labels) {
    StringBuilder pods = new StringBuilder();
    for (int number = 0; number < NAMES.size(); number++) {
      pods.append(
          """
          ---
          apiVersion: v1
          kind: Pod
          metadata:
            %s
            labels: {kueue.x-k8s.io/queue-name: tpu, kueue.x-k8s.io/pod-group-name: crew%s}
            annotations: {kueue.x-k8s.io/pod-group-total-count: "4"}
          spec:
            nodeSelector:
              cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
              cloud.google.com/gke-tpu-topology: 2x4
            containers: [{name: c, image: a, resources: {limits: {google.com/tpu: 4}}}]
          """
              .formatted(name.apply(number), labels.apply(number)));
    }
    return ForeignReader.readAll(pods.toString()).get(0);
  }

  /** The node pools of the pods as they are created, by the numbers of their documents. */
  private static Map<Integer, String> pools(ForeignJob job) {
    List<ObjectNode> rendered = ForeignRenderer.render(job, Admissions.whole(job.spec(), 1));
    Map<Integer, String> pools = new TreeMap<>();
    for (int number = 0; number < rendered.size(); number++) {
      assertThat(rendered.get(number).at("/spec").has("affinity")).isFalse();
      pools.put(
          number,
          rendered.get(number).at("/spec/nodeSelector/cloud.google.com~1gke-nodepool").asText());
    }
    return pools;
  }

  @Test
  void theyAreOnTheSlicesInTheOrderOfTheirNamesNumbersAsNumbers() {
    ForeignJob job = group(number -> "name: " + NAMES.get(number), number -> "");
    assertThat(pools(job)).isEqualTo(Map.of(2, "pool-0", 1, "pool-0", 0, "pool-1", 3, "pool-1"));
  }

  @Test
  void theIndexThatAllOfThemSayComesBeforeTheirNames() {
    ForeignJob job =
        group(
            number -> "name: " + NAMES.get(number),
            number -> ", kueue.x-k8s.io/pod-group-pod-index: '" + (30 - number) + "'");
    assertThat(pools(job)).isEqualTo(Map.of(3, "pool-0", 2, "pool-0", 1, "pool-1", 0, "pool-1"));
  }

  @Test
  void anIndexThatOneOfThemDoesNotSayIsNone() {
    ForeignJob job =
        group(
            number -> "name: " + NAMES.get(number),
            number ->
                number == 0 ? "" : ", kueue.x-k8s.io/pod-group-pod-index: '" + (3 - number) + "'");
    assertThat(pools(job)).isEqualTo(Map.of(2, "pool-0", 1, "pool-0", 0, "pool-1", 3, "pool-1"));
  }

  @Test
  void podsWithoutNamesAreOnTheSlicesAsTheyWereWritten() {
    ForeignJob job = group(number -> "generateName: w-", number -> "");
    assertThat(pools(job)).isEqualTo(Map.of(0, "pool-0", 1, "pool-0", 2, "pool-1", 3, "pool-1"));
  }

  @Test
  void oneThatIsNarrowedIsToldTheSame() {
    ForeignJob job = group(number -> "name: " + NAMES.get(number), number -> "");
    AdmittedAttempt attempt = Admissions.whole(job.spec(), 1);
    ObjectNode there = job.originals().get(2);
    ObjectNode narrowed = AdoptedEdits.admitPod(there, job, 2, attempt);
    assertThat(narrowed.at("/spec/nodeSelector/cloud.google.com~1gke-nodepool").asText())
        .isEqualTo("pool-0");
  }
}
