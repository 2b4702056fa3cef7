// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.Toleration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The admission of a pod set as node selectors, tolerations and counts.
 *
 * @param count how many pods
 * @param nodeLabels of its flavors
 * @param tolerations of its flavors
 * @param slices in the order of their slice ids; empty if it has none
 * @param annotations that its pods have to carry
 * @param domains of nodes that its pods were placed in, in the order of the pods' ranks; empty if
 *     they were not placed
 */
public record AdmittedPodSet(
    String name,
    int count,
    Labels nodeLabels,
    List<Toleration> tolerations,
    List<Slice> slices,
    Labels annotations,
    List<AdmittedDomain> domains) {
  public AdmittedPodSet {
    tolerations = List.copyOf(tolerations);
    slices = List.copyOf(slices);
    domains = List.copyOf(domains);
  }

  /** One whose pods carry no annotations of ours, and were not placed. */
  public AdmittedPodSet(
      String name, int count, Labels nodeLabels, List<Toleration> tolerations, List<Slice> slices) {
    this(name, count, nodeLabels, tolerations, slices, Labels.NONE, List.of());
  }

  /** Whether its pods differ in where they go, which their template cannot say. */
  public boolean isSpread() {
    return domains.size() > 1;
  }

  /** Where the pod of that rank goes, from 0; null: it was not placed, or there is no such pod. */
  public @Nullable AdmittedDomain domain(int rank) {
    int before = 0;
    for (AdmittedDomain domain : domains) {
      before += domain.count();
      if (rank < before) {
        return domain;
      }
    }
    return null;
  }

  /**
   * The same with each of its slices as a domain, so that its pods go to them by their ranks;
   * itself if it has no several slices, or no label tells their nodes apart.
   */
  public AdmittedPodSet apart() {
    if (slices.size() < 2 || count % slices.size() != 0 || isSpread()) {
      return this;
    }
    List<AdmittedDomain> each = new ArrayList<>();
    for (Slice slice : slices) {
      Labels label = PodTemplateEdits.label(slice);
      if (label.isEmpty()) {
        return this;
      }
      each.add(new AdmittedDomain(label, count / slices.size()));
    }
    return new AdmittedPodSet(name, count, nodeLabels, tolerations, slices, annotations, each);
  }

  /** The same for a pod that goes to one slice. */
  AdmittedPodSet on(Slice slice) {
    return new AdmittedPodSet(
        name, count, nodeLabels, tolerations, List.of(slice), annotations, domains);
  }

  /** The same for a pod that goes to one domain. */
  public AdmittedPodSet in(AdmittedDomain domain) {
    return new AdmittedPodSet(
        name, count, nodeLabels, tolerations, slices, annotations, List.of(domain));
  }
}
