// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.fleet.Toleration.Operator;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How what the engine assigned is said in the words of nodes. */
class AdmittedAttemptTest {
  private static final AttemptKey KEY = new AttemptKey(Admissions.ID, 0, 1);
  private static final Toleration SPOT = new Toleration("spot", Operator.EXISTS, "", null);

  /** Flavors whose labels say their names, but for {@code plain}; slices of v6e 4x4. */
  private static final AdmittedAttempt.Nodes NODES =
      new AdmittedAttempt.Nodes() {
        @Override
        public ResourceFlavor flavor(String name) {
          Labels labels = name.equals("plain") ? Labels.NONE : Labels.of(Map.of("pool", name));
          List<Toleration> tolerations = name.equals("plain") ? List.of() : List.of(SPOT);
          return new ResourceFlavor(ObjectMeta.named(name), labels, List.of(), tolerations);
        }

        @Override
        public Slice slice(String name) {
          return new Slice(
              name,
              "v6e",
              SliceTopology.parse("4x4"),
              CapacityType.SPOT,
              Labels.NONE,
              List.of("a", "b", "c", "d"));
        }
      };

  private static JobSpec job() throws IOException {
    Path file = Path.of("src/test/resources/foreign/jobset-driver-and-workers/in.yaml");
    return ForeignReader.readAll(Files.readString(file)).get(0).spec();
  }

  private static PodSetAssignment given(
      String name, int count, Map<ResourceName, String> flavors, long chips) {
    ResourceList usage =
        chips == 0
            ? ResourceList.of(ResourceName.CPU, 1)
            : ResourceList.of(ResourceName.TPU, chips);
    return new PodSetAssignment(name, count, new TreeMap<>(flavors), usage);
  }

  @Test
  void slicesGoToThePodSetThatTakesChips() throws IOException {
    Assignment assignment =
        new Assignment(
            "q",
            List.of(
                given("driver", 1, Map.of(ResourceName.CPU, "plain"), 0),
                given(
                    "workers", 4, Map.of(ResourceName.CPU, "plain", ResourceName.TPU, "spot"), 16)),
            List.of("s1"));
    AdmittedAttempt attempt = AdmittedAttempt.of(KEY, 1, job(), assignment, NODES);
    assertThat(attempt.podSet("driver"))
        .isEqualTo(new AdmittedPodSet("driver", 1, Labels.NONE, List.of(), List.of()));
    assertThat(attempt.podSet("workers"))
        .isEqualTo(
            new AdmittedPodSet(
                "workers",
                4,
                Labels.of(Map.of("pool", "spot")),
                List.of(SPOT),
                List.of(NODES.slice("s1"))));
  }

  @Test
  void flavorsOfDifferentNodesAreNotMixedInAPod() throws IOException {
    JobSpec job = job();
    Assignment assignment =
        new Assignment(
            "q",
            List.of(given("workers", 4, Map.of(ResourceName.CPU, "a", ResourceName.TPU, "b"), 16)),
            List.of());
    assertThatThrownBy(() -> AdmittedAttempt.of(KEY, 1, job, assignment, NODES))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("different nodes");
  }
}
