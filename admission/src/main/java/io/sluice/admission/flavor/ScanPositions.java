// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where the search through the flavors of a workload's resource groups goes on. */
public final class ScanPositions {
  /** It begins with the first of each group. */
  public static final ScanPositions START = new ScanPositions(List.of());

  private final Map<String, Map<ResourceName, Integer>> tried = new TreeMap<>();

  private ScanPositions(List<FlavorChoice> choices) {
    for (FlavorChoice choice : choices) {
      tried
          .computeIfAbsent(choice.podSet(), absent -> new TreeMap<>())
          .put(choice.resource(), choice.lastTried());
    }
  }

  /** Goes on behind what an assignment looked at last. */
  public static ScanPositions after(FlavorAssignment assignment) {
    return new ScanPositions(assignment.choices());
  }

  /** Whether some group has flavors that were not looked at. */
  public boolean goesOn() {
    return tried.values().stream()
        .flatMap(ofPodSet -> ofPodSet.values().stream())
        .anyMatch(number -> number != FlavorChoice.ALL_TRIED);
  }

  /** Number of the flavor to begin with. */
  int next(String podSet, ResourceName resource) {
    Map<ResourceName, Integer> ofPodSet = tried.get(podSet);
    return ofPodSet == null ? 0 : ofPodSet.getOrDefault(resource, FlavorChoice.ALL_TRIED) + 1;
  }
}
