// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quota.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;

/**
 * Which nodes pods may be on: those that meet all requirements of one of the terms.
 *
 * @param terms none: any node
 */
public record NodeAffinity(List<List<Requirement>> terms) {
  public static final NodeAffinity ANY = new NodeAffinity(List.of());

  public NodeAffinity {
    terms = terms.stream().map(List::copyOf).toList();
  }

  /** Whether a node with all of its labels will do. */
  public boolean matches(Labels labels) {
    return terms.isEmpty()
        || terms.stream()
            .anyMatch(term -> term.stream().allMatch(requirement -> requirement.isMetBy(labels)));
  }

  /**
   * Whether a flavor's nodes may do. A label that the flavor does not name may be on its nodes or
   * not: a requirement of it excludes nothing, and a term of such only is met.
   */
  public boolean permits(Labels nodeLabels) {
    boolean permitted = terms.isEmpty();
    for (List<Requirement> term : terms) {
      List<Requirement> known = new ArrayList<>(term);
      known.removeIf(requirement -> nodeLabels.get(requirement.key()) == null);
      permitted |= known.stream().allMatch(requirement -> requirement.isMetBy(nodeLabels));
    }
    return permitted;
  }
}
