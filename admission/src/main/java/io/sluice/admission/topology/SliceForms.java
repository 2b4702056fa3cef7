// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Forming;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names of slices: those of the fleet, and those that can be formed from them. It ignores
 * whether slices are in use.
 */
public final class SliceForms {
  private final SortedMap<String, Slice> slices = new TreeMap<>();

  public SliceForms(Fleet fleet) {
    fleet.slices().forEach(slice -> slices.put(slice.name(), slice));
  }

  /** Returns the slices of the fleet, by name. */
  SortedMap<String, Slice> slices() {
    return slices;
  }

  /** Returns the slice of a name, with hosts in worker order; null if the fleet cannot make it. */
  public @Nullable Slice find(String name) {
    Slice known = slices.get(name);
    if (known != null) {
      return known;
    }
    SliceName parsed = SliceName.parse(name);
    SliceTopology topology = parsed.topology();
    if (topology == null || !parsed.toString().equals(name)) {
      return null;
    }
    return parsed.isJoined() ? joined(name, parsed, topology) : part(name, parsed, topology);
  }

  private @Nullable Slice part(String name, SliceName parsed, SliceTopology topology) {
    Slice whole = slices.get(parsed.members().get(0));
    if (whole == null || !whole.forming().parts().contains(topology)) {
      return null;
    }
    Boxes boxes = Boxes.of(whole);
    int level = boxes.level(topology);
    if (parsed.number() >= boxes.count(level)) {
      return null;
    }
    long box = boxes.hosts(level, parsed.number());
    List<String> hosts = new ArrayList<>();
    for (int worker = 0; worker < whole.hosts().size(); worker++) {
      if ((box >> worker & 1) == 1) {
        hosts.add(whole.hosts().get(worker));
      }
    }
    return formed(name, whole, topology, labels(whole, topology, false), hosts);
  }

  private @Nullable Slice joined(String name, SliceName parsed, SliceTopology topology) {
    List<Slice> members = new ArrayList<>();
    Labels labels = null;
    for (String member : parsed.members()) {
      Slice slice = slices.get(member);
      boolean fits =
          slice != null
              && slice.forming().block() != null
              && (members.isEmpty()
                  || slice.forming().block().equals(members.get(0).forming().block()));
      if (slice == null || !fits || members.contains(slice)) {
        return null;
      }
      members.add(slice);
      Labels its = labels(slice, topology, true);
      labels = labels == null ? its : common(labels, its);
    }
    Slice first = members.get(0);
    if (labels == null || joinsTo(first, topology) != members.size()) {
      return null;
    }
    return formed(name, first, topology, labels, joinedHosts(members, topology));
  }

  private static Slice formed(
      String name, Slice of, SliceTopology topology, Labels labels, List<String> hosts) {
    return new Slice(
        name, of.acceleratorType(), topology, of.capacityType(), labels, hosts, Forming.NONE);
  }

  /** Returns the hosts of adjacent members in worker order, x fastest. */
  private static List<String> joinedHosts(List<Slice> members, SliceTopology topology) {
    int[] whole = Boxes.hostSides(topology);
    int[] one = Boxes.hostSides(members.get(0).topology());
    List<String> hosts = new ArrayList<>();
    for (int z = 0; z < whole[2]; z++) {
      for (int y = 0; y < whole[1]; y++) {
        for (int x = 0; x < whole[0]; x++) {
          int member =
              (z / one[2] * (whole[1] / one[1]) + y / one[1]) * (whole[0] / one[0]) + x / one[0];
          int worker = (z % one[2] * one[1] + y % one[1]) * one[0] + x % one[0];
          hosts.add(members.get(member).hosts().get(worker));
        }
      }
    }
    return hosts;
  }

  /** Returns the number of slices of its block that form a topology; 0 if they cannot. */
  static int joinsTo(Slice slice, SliceTopology topology) {
    boolean joins =
        slice.forming().block() != null
            && slice.topology().divides(topology)
            && !slice.topology().equals(topology);
    return joins ? (int) (topology.chips() / slice.topology().chips()) : 0;
  }

  /** Returns the labels of a slice formed from another, with its own topology. */
  static Labels labels(Slice of, SliceTopology topology, boolean joined) {
    TreeMap<String, String> labels = new TreeMap<>(of.labels().entries());
    labels.replace(NodeLabels.TPU_TOPOLOGY, topology.toString());
    if (joined) {
      labels.remove(NodeLabels.NODE_POOL);
    }
    return Labels.of(labels);
  }

  private static Labels common(Labels labels, Labels others) {
    TreeMap<String, String> common = new TreeMap<>();
    for (Map.Entry<String, String> label : labels.entries().entrySet()) {
      if (label.getValue().equals(others.get(label.getKey()))) {
        common.put(label.getKey(), label.getValue());
      }
    }
    return Labels.of(common);
  }

  /**
   * Returns the number of slices for a request that the fleet could make at once if all were free.
   */
  public static long most(Fleet fleet, AcceleratorRequest request) {
    long most = 0;
    TreeMap<String, Integer> inBlock = new TreeMap<>();
    for (Slice slice : fleet.slices()) {
      boolean alike =
          slice.acceleratorType().equals(request.type())
              && slice.topology().chips() * request.hostsPerSlice()
                  == request.topology().chips() * slice.hosts().size();
      if (!alike) {
        continue;
      }
      String block = slice.forming().block();
      if (slice.topology().equals(request.topology())) {
        most++;
      } else if (slice.forming().parts().contains(request.topology())) {
        most += slice.topology().chips() / request.topology().chips();
      } else if (block != null && joinsTo(slice, request.topology()) > 0) {
        int members = inBlock.merge(block, 1, Integer::sum);
        most += members % joinsTo(slice, request.topology()) == 0 ? 1 : 0;
      }
    }
    return most;
  }
}
