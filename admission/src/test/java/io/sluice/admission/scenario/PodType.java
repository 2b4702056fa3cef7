// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.queuemodel.fleet.SliceTopology;

/** A pod type such as {@code v6e-16}: the smallest topology of that many chips. */
record PodType(String type, String topology) {
  static PodType parse(String text) {
    int dash = text.lastIndexOf('-');
    AcceleratorType type = AcceleratorCatalogue.BUILT_IN.type(text.substring(0, dash));
    long chips = Long.parseLong(text.substring(dash + 1));
    SliceTopology topology =
        type.machineTypes().stream()
            .flatMap(machine -> machine.topologies().stream())
            .filter(known -> known.chips() == chips)
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no topology for " + text));
    return new PodType(type.name(), topology.toString());
  }
}
