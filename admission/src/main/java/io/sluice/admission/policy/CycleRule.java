// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.policy;

/** Whether a cycle is part of a round or a single cycle as in Kueue. */
public enum CycleRule {
  /**
   * Cycles of a round repeat until nothing changes. An inadmissible head gives its turn to the next
   * workload at once. Draining room counts as free for claims, and a claim lasts until its room is
   * free.
   */
  ROUND,
  /**
   * A single cycle of Kueue, with one head for each queue. Draining room counts as used unless its
   * attempt is chosen as a victim, and promises end with the cycle.
   */
  SINGLE;

  /** Returns whether draining attempts still count as promised usage. */
  public boolean countsDraining() {
    return this == SINGLE;
  }
}
