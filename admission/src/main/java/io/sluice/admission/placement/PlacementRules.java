// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

/**
 * The rules for placing pods on nodes. They are stored as JSON with the policy of an engine, so
 * they are plain values.
 *
 * @param on whether pods are placed by topology at all
 * @param fillsUp whether pods without constraints go to the domains with the least room
 * @param balances whether pods that prefer to be together are spread evenly over the fewest
 *     possible domains
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
    boolean balances,
    boolean heedsPreferences,
    boolean sharesHosts,
    boolean recomputes,
    boolean failsFast,
    boolean grows) {
  /** The default rules of a server. */
  public static final PlacementRules DEFAULT =
      new PlacementRules(true, true, false, true, true, true, true, true);
}
