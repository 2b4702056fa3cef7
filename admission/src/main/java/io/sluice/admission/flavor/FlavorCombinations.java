// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The combinations of a queue's flavors, one of each resource group. */
final class FlavorCombinations {
  private FlavorCombinations() {}

  /** Returns the combinations in the order of the queue, at most so many. */
  static List<List<String>> of(QueueState queue, int most) {
    List<List<String>> all = List.of(List.of());
    for (ResourceGroup group : queue.spec().resourceGroups()) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> one : all) {
        for (FlavorQuotas flavor : group.flavors()) {
          if (longer.size() < most) {
            List<String> next = new ArrayList<>(one);
            next.add(flavor.flavor());
            longer.add(next);
          }
        }
      }
      all = longer.isEmpty() ? all : longer;
    }
    return all;
  }

  /** Returns assignments that restrict a search to these flavors. */
  static List<PodSetAssignment> kept(List<PodSet> podSets, List<String> flavors) {
    SortedMap<ResourceName, String> any = new TreeMap<>();
    for (int at = 0; at < flavors.size(); at++) {
      // Only the flavors count, and not the resources.
      any.put(new ResourceName("flavor-" + at), flavors.get(at));
    }
    return podSets.stream()
        .map(podSet -> new PodSetAssignment(podSet.name(), podSet.count(), any, ResourceList.NONE))
        .toList();
  }
}
