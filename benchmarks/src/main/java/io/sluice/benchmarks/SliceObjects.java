// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The objects of measured worlds with slices: 4x4 of one type on four hosts each. */
final class SliceObjects {
  private static final String FLAVOR = "v6e";
  private static final int HOSTS = 4;
  private static final SliceTopology TOPOLOGY = SliceTopology.parse("4x4");

  private SliceObjects() {}

  static Input flavor() {
    return WorldObjects.flavor(FLAVOR);
  }

  /** A queue with more than enough quota for some slices. */
  static Input clusterQueue(String name, @Nullable String cohort, int slices) {
    return WorldObjects.clusterQueue(
        name,
        cohort,
        FLAVOR,
        ResourceName.TPU,
        2L * TOPOLOGY.chips() * slices,
        QueuePolicies.DEFAULT);
  }

  static WorkloadShape shape(SliceRange slices) {
    PodSet workers =
        new PodSet(
            "workers",
            slices.max() * HOSTS,
            ResourceList.of(ResourceName.TPU, TOPOLOGY.chips() / HOSTS),
            Labels.NONE,
            List.of());
    return new WorkloadShape(
        List.of(workers), new AcceleratorRequest(FLAVOR, TOPOLOGY, slices, HOSTS));
  }

  static String name(int number) {
    return "slice-%05d".formatted(number);
  }

  static Fleet fleet(int count) {
    List<Host> hosts = new ArrayList<>();
    List<Slice> slices = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      List<String> names = new ArrayList<>();
      for (int host = 0; host < HOSTS; host++) {
        names.add(name(number) + "-" + host);
        hosts.add(new Host(names.get(host), Labels.NONE, ResourceList.of(ResourceName.TPU, HOSTS)));
      }
      slices.add(
          new Slice(name(number), FLAVOR, TOPOLOGY, CapacityType.RESERVATION, Labels.NONE, names));
    }
    return new Fleet(ExecutorKind.SIMULATED, hosts, slices);
  }
}
