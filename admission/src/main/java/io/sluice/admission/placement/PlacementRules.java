// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules for placing pods on nodes.
 *
 * @param on whether pods are placed by topology at all
 * @param fillsUp whether pods without constraints go to the domains with the least room
 * @param together policy for pods that prefer to be together
 * @param heedsPreferences whether nodes that pods prefer come first
 * @param sharesHosts whether pods of one flavor count on the same hosts in other flavors
 * @param recomputes whether a head searches another place in the same cycle if an earlier one took
 *     its place
 * @param failsFast whether an attempt that lost a node is evicted at once if there is no
 *     replacement
 * @param grows whether a workload that replaces a smaller one keeps its pods in place
 */
public record PlacementRules(
    boolean on,
    boolean fillsUp,
    DomainPolicy together,
    boolean heedsPreferences,
    boolean sharesHosts,
    boolean recomputes,
    boolean failsFast,
    boolean grows) {
  /** Chooses domains for pods that prefer to be together. */
  public interface DomainPolicy {
    /** Leaves the choice to the search, which uses as few domains as possible. */
    DomainPolicy NEAREST = (counts, pods, leaders) -> null;

    /** Returns the domains with what each is to hold; null to leave the choice to the search. */
    @Nullable GivenDomains choose(DomainCounts counts, int pods, int leaders);
  }

  /**
   * Domains that hold all pods, with fixed counts.
   *
   * @param counts counts that each of the domains is to hold
   */
  record GivenDomains(int level, List<Integer> domains, DomainCounts counts) {}

  /** The default rules of a server. */
  public static final PlacementRules DEFAULT =
      new PlacementRules(true, true, DomainPolicy.NEAREST, true, true, true, true, true);
}
