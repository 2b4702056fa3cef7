// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.admission.flavor.PriorHolding;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;

/**
 * The quota held by the workload that a new one replaces. The new one gets the same flavors, pod
 * set by pod set, and needs only the amounts beyond.
 */
public record Predecessor(List<PodSetAssignment> held) implements PriorHolding {
  public Predecessor {
    held = List.copyOf(held);
  }

  /** Permits only the flavor from which all of these pod sets hold the resource. */
  @Override
  public boolean permits(List<PodSet> podSets, ResourceName resource, String flavor) {
    for (PodSet podSet : podSets) {
      PodSetAssignment before = PodSetAssignment.find(held, podSet.name());
      if (before == null || !flavor.equals(before.flavors().get(resource))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long held(List<PodSet> podSets, ResourceName resource) {
    long sum = 0;
    for (PodSet podSet : podSets) {
      sum = Math.addExact(sum, held(podSet.name(), resource));
    }
    return sum;
  }

  /** Returns the amount that a pod set holds of a resource; 0 if there is no such pod set. */
  public long held(String podSet, ResourceName resource) {
    PodSetAssignment before = PodSetAssignment.find(held, podSet);
    return before == null ? 0 : before.usage().get(resource);
  }
}
