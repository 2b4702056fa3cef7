// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the domains of pods for which a topology level is preferred, not required. */
interface DomainPolicy {
  /** Leaves the choice to the search, which takes as few domains as suffice. */
  DomainPolicy FEWEST = (counts, pods, leaders) -> null;

  /** The domains, each with the pods that it is to hold; null leaves the choice to the search. */
  @Nullable GivenDomains choose(DomainCounts counts, int pods, int leaders);

  /** The policy that rules ask for. Only cases of Kueue ask for the balanced one. */
  static DomainPolicy of(PlacementRules rules) {
    return rules.balances() ? BalancedPlacement.POLICY : FEWEST;
  }

  /**
   * Domains that together hold all pods, so that no domain below them has to be chosen.
   *
   * @param counts with the pods that each of the domains is to hold
   */
  record GivenDomains(int level, List<Integer> domains, DomainCounts counts) {}
}
