// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.Toleration;
import java.util.List;

/**
 * What admission gave a pod set, in the words of nodes.
 *
 * @param count how many pods
 * @param nodeLabels of its flavors
 * @param tolerations of its flavors
 * @param slices in the order of their slice ids; empty if it has none
 * @param annotations that its pods have to carry
 */
public record AdmittedPodSet(
    String name,
    int count,
    Labels nodeLabels,
    List<Toleration> tolerations,
    List<Slice> slices,
    Labels annotations) {
  public AdmittedPodSet {
    tolerations = List.copyOf(tolerations);
    slices = List.copyOf(slices);
  }

  /** One whose pods carry no annotations of ours. */
  public AdmittedPodSet(
      String name, int count, Labels nodeLabels, List<Toleration> tolerations, List<Slice> slices) {
    this(name, count, nodeLabels, tolerations, slices, Labels.NONE);
  }
}
