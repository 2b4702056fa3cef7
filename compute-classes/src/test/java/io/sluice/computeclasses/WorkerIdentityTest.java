// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkerIdentityTest {
  private static final String JOB = "01234567-89ab-4cde-8f01-23456789abcd";
  private static final AttemptKey ATTEMPT = new AttemptKey(JobId.parse(JOB), 7, 3);

  private static Slice slice(String name, String type, String topology, int hosts) {
    return new Slice(
        name,
        type,
        SliceTopology.parse(topology),
        CapacityType.RESERVATION,
        Labels.NONE,
        IntStream.range(0, hosts).mapToObj(worker -> name + "-h" + worker).toList());
  }

  private static Map<String, String> environment(List<Slice> slices, int sliceId, int workerId) {
    return new WorkerIdentity(ATTEMPT, 2, slices, sliceId, workerId)
        .environment(AcceleratorCatalogue.BUILT_IN);
  }

  @Test
  void aWorkerOfOneSliceIsToldItsSliceAndNothingOfOthers() {
    assertThat(environment(List.of(slice("a", "v6e", "4x4", 4)), 0, 3))
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("SLUICE_JOB_ID", JOB),
                Map.entry("SLUICE_INDEX", "7"),
                Map.entry("SLUICE_ATTEMPT", "3"),
                Map.entry("SLUICE_GENERATION", "2"),
                Map.entry("JOB_COMPLETION_INDEX", "7"),
                Map.entry("TPU_NAME", "a"),
                Map.entry("TPU_WORKER_ID", "3"),
                Map.entry("TPU_WORKER_HOSTNAMES", "a-h0,a-h1,a-h2,a-h3"),
                Map.entry("TPU_TOPOLOGY", "4x4"),
                Map.entry("TPU_ACCELERATOR_TYPE", "v6e-16"),
                Map.entry("TPU_CHIPS_PER_HOST_BOUNDS", "2,2,1"),
                Map.entry("TPU_HOST_BOUNDS", "2,2,1"),
                Map.entry("TPU_SKIP_MDS_QUERY", "true")));
  }

  @Test
  void workersOfSeveralSlicesMeetAtWorkerZeroOfSliceZero() {
    List<Slice> slices = List.of(slice("b", "v5p", "2x2x2", 2), slice("a", "v5p", "2x2x2", 2));

    for (int sliceId = 0; sliceId < 2; sliceId++) {
      for (int workerId = 0; workerId < 2; workerId++) {
        assertThat(environment(slices, sliceId, workerId))
            .containsEntry("MEGASCALE_NUM_SLICES", "2")
            .containsEntry("MEGASCALE_SLICE_ID", Integer.toString(sliceId))
            .containsEntry("MEGASCALE_COORDINATOR_ADDRESS", "b-h0")
            .containsEntry("MEGASCALE_PORT", "8080")
            .containsEntry("TPU_NAME", sliceId == 0 ? "b" : "a")
            .containsEntry("TPU_WORKER_ID", Integer.toString(workerId))
            .containsEntry("TPU_WORKER_HOSTNAMES", sliceId == 0 ? "b-h0,b-h1" : "a-h0,a-h1")
            .containsEntry("TPU_ACCELERATOR_TYPE", "v5p-16");
      }
    }
  }

  @Test
  void noTwoWorkersAreTheSame() {
    List<Slice> slices =
        List.of(
            slice("a", "v4", "2x2x4", 4),
            slice("b", "v4", "2x2x4", 4),
            slice("c", "v4", "2x2x4", 4));
    Set<List<String>> identities = new HashSet<>();
    for (int sliceId = 0; sliceId < 3; sliceId++) {
      for (int workerId = 0; workerId < 4; workerId++) {
        Map<String, String> environment = environment(slices, sliceId, workerId);
        identities.add(
            List.of(
                environment.getOrDefault("MEGASCALE_SLICE_ID", ""),
                environment.getOrDefault("TPU_WORKER_ID", "")));
      }
    }
    assertThat(identities).hasSize(12);
  }

  @Test
  void theIdentityFollowsTheSlicesOfThisStart() {
    Slice kept = slice("kept", "v6e", "4x4", 4);
    Map<String, String> before = environment(List.of(kept, slice("lost", "v6e", "4x4", 4)), 0, 0);
    Map<String, String> after = environment(List.of(kept), 0, 0);

    assertThat(before).containsEntry("MEGASCALE_NUM_SLICES", "2");
    assertThat(after.keySet()).noneMatch(name -> name.startsWith("MEGASCALE_"));
  }

  @Test
  void aWorkerWithoutSlicesIsToldItsAttemptOnly() {
    assertThat(WorkerIdentity.attemptEnvironment(ATTEMPT, 2).keySet())
        .containsExactly(
            "JOB_COMPLETION_INDEX",
            "SLUICE_ATTEMPT",
            "SLUICE_GENERATION",
            "SLUICE_INDEX",
            "SLUICE_JOB_ID");
  }
}
