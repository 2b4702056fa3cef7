// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The positions from which the search through a workload's flavors continues. */
public final class ScanPositions {
  /** The search begins with the first flavor of each group. */
  public static final ScanPositions START = new ScanPositions(List.of());

  private final Map<String, Map<ResourceName, Integer>> tried = new TreeMap<>();

  private ScanPositions(List<FlavorChoice> choices) {
    for (FlavorChoice choice : choices) {
      tried
          .computeIfAbsent(choice.podSet(), absent -> new TreeMap<>())
          .put(choice.resource(), choice.lastTried());
    }
  }

  /** Returns the positions after the last flavors that an assignment tried. */
  public static ScanPositions after(FlavorAssignment assignment) {
    return new ScanPositions(assignment.choices());
  }

  /** Returns whether some group has untried flavors. */
  public boolean goesOn() {
    return tried.values().stream()
        .flatMap(ofPodSet -> ofPodSet.values().stream())
        .anyMatch(number -> number != FlavorChoice.ALL_TRIED);
  }

  /** Returns the number of the flavor to begin with. */
  int next(String podSet, ResourceName resource) {
    Map<ResourceName, Integer> ofPodSet = tried.get(podSet);
    return ofPodSet == null ? 0 : ofPodSet.getOrDefault(resource, FlavorChoice.ALL_TRIED) + 1;
  }
}
