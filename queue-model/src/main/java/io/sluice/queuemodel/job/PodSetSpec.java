// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of equal pods, as the user writes it.
 *
 * @param minCount with how few pods it may do; null: it needs all
 */
public record PodSetSpec(
    String name,
    int count,
    PodTemplate template,
    @Nullable Integer minCount,
    @Nullable TopologyRequest topology,
    @Nullable String group) {
  /** A pod set that need not be close together. */
  public PodSetSpec(String name, int count, PodTemplate template, @Nullable Integer minCount) {
    this(name, count, template, minCount, null, null);
  }

  /** A pod set that needs all of its pods. */
  public PodSetSpec(String name, int count, PodTemplate template) {
    this(name, count, template, null);
  }

  /** The same with its pods placed so. */
  public PodSetSpec placed(TopologyRequest request, @Nullable String with) {
    return new PodSetSpec(name, count, template, minCount, request, with);
  }

  /** Whether it says by itself on which nodes it had rather be. */
  public boolean selects() {
    return !template.affinity().alternatives().isEmpty();
  }

  /** The same with other alternatives. */
  PodSetSpec choosing(List<List<Requirement>> alternatives) {
    PodTemplate other = template.withAffinity(template.affinity().choosing(alternatives));
    return new PodSetSpec(name, count, other, minCount, topology, group);
  }

  /** The same on nodes that meet this as well. */
  PodSetSpec requiring(Requirement requirement) {
    NodeAffinity other = template.affinity().requiring(requirement);
    return new PodSetSpec(name, count, template.withAffinity(other), minCount, topology, group);
  }

  public PodSet podSet() {
    return new PodSet(
        name,
        count,
        template.requests(),
        template.nodeSelector(),
        template.tolerations(),
        template.affinity(),
        minCount,
        group,
        topology,
        null);
  }
}
