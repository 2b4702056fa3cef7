// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.admission.flavor.PriorHolding;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;

/**
 * What a workload holds whose place another takes. The other is given the same flavors, pod set by
 * pod set, and needs only what it asks for beyond.
 */
public record Predecessor(List<PodSetAssignment> held) implements PriorHolding {
  public Predecessor {
    held = List.copyOf(held);
  }

  /** Only the flavor from which all of these pod sets have the resource. */
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

  /** How much a pod set has of a resource; nothing if it is not there. */
  public long held(String podSet, ResourceName resource) {
    PodSetAssignment before = PodSetAssignment.find(held, podSet);
    return before == null ? 0 : before.usage().get(resource);
  }
}
