// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.util.List;

/**
 * What admission gives an attempt.
 *
 * @param clusterQueue whose quota it uses
 * @param slices names of the slices in the order of their slice ids; empty if it asked for none
 */
public record Assignment(String clusterQueue, List<PodSetAssignment> podSets, List<String> slices) {
  public Assignment {
    podSets = List.copyOf(podSets);
    slices = List.copyOf(slices);
  }
}
