// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.MachineType;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.manifests.document.Violations;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the slices of pods as in GKE: {@code google.com/tpu} requests chips, and node labels select
 * type and topology. Slices are given whole, so each pod must take all chips of its host, and all
 * pods together must make whole slices.
 */
final class SliceSelectors {
  private final ForeignPods pods;
  private final Violations violations;

  private SliceSelectors(ForeignPods pods, Violations violations) {
    this.pods = pods;
    this.violations = violations;
  }

  /** What the pods of all pod sets ask for; null if it is nothing, or not right. */
  static @Nullable AcceleratorRequest read(List<ForeignPods> all, Violations violations) {
    ForeignPods hosts = null;
    for (ForeignPods pods : all) {
      if (hasChips(pods) && hosts != null) {
        violations.add(
            pods.podSpec(),
            "",
            "asks for slices beside pod set " + hosts.podSet().name() + ": one pod set may");
        return null;
      }
      hosts = hasChips(pods) ? pods : hosts;
    }
    return hosts == null ? null : new SliceSelectors(hosts, violations).request();
  }

  /** Whether the pods take chips, and so are the hosts of slices. */
  static boolean hasChips(ForeignPods pods) {
    return chipsPerPod(pods) > 0;
  }

  private static long chipsPerPod(ForeignPods pods) {
    return pods.podSet().template().requests().get(ResourceName.TPU);
  }

  private @Nullable AcceleratorRequest request() {
    AcceleratorType type = type();
    SliceTopology topology = topology();
    if (type == null || topology == null) {
      return null;
    }
    Integer hosts = hosts(type, topology);
    int count = pods.podSet().count();
    if (hosts != null && count % hosts != 0) {
      violations.add(
          pods.podSpec(),
          "",
          "is of "
              + count
              + " pods, which are no whole slices: "
              + type.name()
              + " "
              + topology
              + " has "
              + hosts
              + " hosts, and a pod on each");
      return null;
    }
    return hosts == null
        ? null
        : new AcceleratorRequest(type.name(), topology, count / hosts, hosts);
  }

  private @Nullable AcceleratorType type() {
    String label = selected(NodeLabels.TPU_TYPE);
    List<AcceleratorType> types = AcceleratorCatalogue.BUILT_IN.types();
    for (AcceleratorType type : types) {
      if (type.gkeLabel().equals(label)) {
        return type;
      }
    }
    if (label != null) {
      refuse(
          NodeLabels.TPU_TYPE,
          label,
          "is not an accelerator of the catalogue; allowed: "
              + String.join(", ", types.stream().map(AcceleratorType::gkeLabel).toList()));
    }
    return null;
  }

  private @Nullable SliceTopology topology() {
    String written = selected(NodeLabels.TPU_TOPOLOGY);
    try {
      return written == null ? null : SliceTopology.parse(written);
    } catch (InvalidValueException problem) {
      refuse(NodeLabels.TPU_TOPOLOGY, written, String.valueOf(problem.getMessage()));
      return null;
    }
  }

  /** Hosts of a slice, by the machine of which a pod takes all chips; null if there is none. */
  private @Nullable Integer hosts(AcceleratorType type, SliceTopology topology) {
    long chips = chipsPerPod(pods);
    long offered = 0;
    for (MachineType machine : type.machineTypes()) {
      if (machine.topologies().contains(topology)) {
        int hosts = type.hostsPerSlice(topology, machine.name());
        offered = topology.chips() / hosts;
        if (offered == chips) {
          return hosts;
        }
      }
    }
    if (offered > 0) {
      violations.add(
          pods.podSpec().field("containers"),
          "",
          "ask for "
              + chips
              + " of google.com/tpu a pod: must be all chips of a host, of "
              + type.name()
              + " "
              + topology
              + " "
              + offered);
      return null;
    }
    try {
      return type.hostsPerSlice(topology, null);
    } catch (InvalidValueException problem) {
      refuse(NodeLabels.TPU_TOPOLOGY, topology.toString(), String.valueOf(problem.getMessage()));
      return null;
    }
  }

  private @Nullable String selected(String label) {
    String value = pods.podSet().template().nodeSelector().get(label);
    if (value == null) {
      refuse(label, "", "is required with google.com/tpu: it identifies the slices");
    }
    return value;
  }

  private void refuse(String label, String value, String message) {
    violations.add(pods.podSpec().field("nodeSelector").key(label), value, message);
  }
}
