// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

/**
 * How pods are placed on nodes where there is a choice.
 *
 * @param on whether topologies are looked at at all
 * @param fillsUp whether pods that may be anywhere go to the domains with the least room
 * @param balances whether pods that had better be together are spread evenly over as few domains as
 *     will do
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
    boolean balances,
    boolean heedsPreferences,
    boolean sharesHosts,
    boolean recomputes,
    boolean failsFast,
    boolean grows) {
  /** What a server does that is told nothing else. */
  public static final PlacementRules DEFAULT =
      new PlacementRules(true, true, false, true, true, true, true, true);
}
