// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What admission gives an attempt.
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

  /** An assignment without a rung. */
  public Assignment(String clusterQueue, List<PodSetAssignment> podSets, List<String> slices) {
    this(clusterQueue, podSets, slices, null);
  }
}
