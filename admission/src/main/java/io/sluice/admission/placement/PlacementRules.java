// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How pods are placed on nodes where there is a choice.
 *
 * @param on whether topologies are looked at at all
 * @param fillsUp whether pods that may be anywhere go to the domains with the least room
 * @param together which domains pods are given that had better be together
 * @param heedsPreferences whether nodes that pods prefer come before others
 * @param sharesHosts whether flavors over the same hosts see what each other's pods take
 * @param recomputes whether a head whose place was taken by one before it in the cycle looks for
 *     another at once
 * @param failsFast whether work that lost a node is evicted at once if no other node will do
 * @param grows whether a workload that replaces a smaller slice of itself keeps its pods in place
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
  /** Says for pods that had better be together which domains they are given. */
  public interface DomainPolicy {
    /** As few domains as will do, wherever there are such: the search's own choice. */
    DomainPolicy NEAREST = (counts, pods, leaders) -> null;

    /** The domains, each with what it is to hold; null leaves the choice to the search. */
    @Nullable GivenDomains choose(DomainCounts counts, int pods, int leaders);
  }

  /**
   * Domains that hold all, so that nothing is to be chosen below them.
   *
   * @param counts with what each of the domains is to hold
   */
  record GivenDomains(int level, List<Integer> domains, DomainCounts counts) {}

  /** What a server does that is told nothing else. */
  public static final PlacementRules DEFAULT =
      new PlacementRules(true, true, DomainPolicy.NEAREST, true, true, true, true, true);
}
