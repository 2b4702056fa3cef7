// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.fleet;

import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.MachineType;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.fleet.Forming;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The fields of a fleet's slice about forming other slices: divisible, parts, block. */
final class FormingFields {
  private static final int PARTS_MAX = 16;

  private FormingFields() {}

  /**
   * What the fields say; {@code divisible} means all topologies of the machine that nest in this.
   */
  static Forming read(
      ObjectCursor cursor, AcceleratorType type, SliceTopology topology, long chipsPerHost) {
    String block = cursor.text("block", Names::requireLabel);
    List<SliceTopology> parts = new ArrayList<>();
    for (String text : cursor.texts("parts", PARTS_MAX, FormingFields::requireTopology)) {
      parts.add(SliceTopology.parse(text));
    }
    parts.sort(Comparator.naturalOrder());
    if (Boolean.TRUE.equals(cursor.flag("divisible"))) {
      if (cursor.has("parts")) {
        cursor.refuse("divisible", "must not be there beside parts, which say the same");
      } else {
        parts = nested(type, topology, chipsPerHost);
        if (parts.isEmpty()) {
          cursor.refuse("divisible", "must not be true: nothing smaller nests in " + topology);
        }
      }
    }
    return new Forming(block, parts);
  }

  private static String requireTopology(String text) {
    return SliceTopology.parse(text).toString();
  }

  /** From the largest on, each that divides the one before it; from small to large. */
  private static List<SliceTopology> nested(
      AcceleratorType type, SliceTopology topology, long chipsPerHost) {
    List<SliceTopology> known = new ArrayList<>();
    for (MachineType machine : type.machineTypes()) {
      if (machine.chipsPerHost() == chipsPerHost) {
        known.addAll(machine.topologies());
      }
    }
    known.sort(Comparator.reverseOrder());
    List<SliceTopology> parts = new ArrayList<>();
    SliceTopology last = topology;
    for (SliceTopology part : known) {
      boolean hosts = part.chips() % chipsPerHost == 0;
      if (hosts && !part.equals(last) && part.divides(last)) {
        parts.add(part);
        last = part;
      }
    }
    Collections.reverse(parts);
    return parts;
  }
}
