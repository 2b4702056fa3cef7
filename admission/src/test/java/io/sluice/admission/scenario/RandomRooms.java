// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.TopologyRequest;
import io.sluice.queuemodel.job.TopologyRequest.Layer;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.testing.FleetBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Hosts in racks in blocks, two flavors over them, and pods that want to be close together. */
final class RandomRooms {
  private static final List<String> LEVELS = List.of("block", "rack", Topology.HOSTNAME);
  private static final int HOSTS_PER_RACK = 2;
  private static final int HOSTS_PER_BLOCK = 4;
  private static final long CORE = 1000;

  private RandomRooms() {}

  static List<Input> objects() {
    List<Input> objects = new ArrayList<>();
    objects.add(new Input.SetObject(new Topology(ObjectMeta.named("rooms"), LEVELS), 1));
    for (String name : List.of("racks", "cages")) {
      objects.add(
          new Input.SetObject(
              new ResourceFlavor(
                  ObjectMeta.named(name), Labels.NONE, List.of(), List.of(), "rooms"),
              1));
    }
    return objects;
  }

  /** Hosts of the same sizes each time, since a host that shrinks would be in excess. */
  static void hosts(FleetBuilder fleet, int count) {
    for (int host = 0; host < count; host++) {
      Map<String, String> labels =
          Map.of("block", "b" + host / HOSTS_PER_BLOCK, "rack", "r" + host / HOSTS_PER_RACK);
      fleet.host("h" + host, Labels.of(labels), ResourceName.CPU, CORE * (1 + host % 3));
    }
  }

  static TopologyRequest request(SplittableRandom random) {
    String level = LEVELS.get(random.nextInt(LEVELS.size()));
    List<Layer> layers =
        random.nextInt(10) < 3
            ? List.of(new Layer(Topology.HOSTNAME, 1 + random.nextInt(2)))
            : List.of();
    return switch (random.nextInt(3)) {
      case 0 -> new TopologyRequest(level, null, false, layers);
      case 1 -> new TopologyRequest(null, level, false, layers);
      default -> new TopologyRequest(null, null, true, layers);
    };
  }
}
