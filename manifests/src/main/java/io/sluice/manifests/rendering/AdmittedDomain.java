// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.TopologyAssignment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A domain of nodes, with the number of pods of a pod set in it.
 *
 * @param nodeLabels that these nodes have and no others
 */
public record AdmittedDomain(Labels nodeLabels, int count) {
  /** Those of pods that were placed, in the order of the pods' ranks. */
  static List<AdmittedDomain> of(TopologyAssignment placed) {
    List<AdmittedDomain> domains = new ArrayList<>();
    for (TopologyAssignment.Domain domain : placed.domains()) {
      TreeMap<String, String> labels = new TreeMap<>();
      for (int level = 0; level < placed.levels().size(); level++) {
        labels.put(placed.levels().get(level), domain.values().get(level));
      }
      domains.add(new AdmittedDomain(Labels.of(labels), domain.count()));
    }
    return domains;
  }
}
