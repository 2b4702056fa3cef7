// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flavors, slices and places that an admission gives an attempt.
 *
 * @param clusterQueue whose quota it uses
 * @param slices names of the slices in the order of their slice ids; empty if it asked for none
 * @param rung number of the rung of its compute class, from 0; null without a class, and where a
 *     class lets any flavor be taken because no rung can be had
 */
public record Assignment(
    String clusterQueue,
    List<PodSetAssignment> podSets,
    List<String> slices,
    @Nullable Integer rung) {
  public Assignment {
    podSets = List.copyOf(podSets);
    slices = List.copyOf(slices);
  }

  /**
   * The same with other slices: pods and what they use are multiplied as the slices are.
   *
   * @throws ArithmeticException if pods cannot be divided by the slices that they are on
   */
  public Assignment onSlices(List<String> others) {
    List<PodSetAssignment> resized = new ArrayList<>();
    for (PodSetAssignment podSet : podSets) {
      resized.add(
          podSet.flavors().containsKey(ResourceName.TPU)
              ? podSet.multiplied(others.size(), slices.size())
              : podSet);
    }
    return new Assignment(clusterQueue, resized, others, rung);
  }

  /** An assignment without a rung. */
  public Assignment(String clusterQueue, List<PodSetAssignment> podSets, List<String> slices) {
    this(clusterQueue, podSets, slices, null);
  }
}
