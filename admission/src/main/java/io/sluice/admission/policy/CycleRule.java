// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.policy;

/** What one cycle leaves for the next. */
public enum CycleRule {
  /**
   * A round is cycles until nothing changes. A head of which nothing can come makes way for the one
   * behind it at once; what drains is as good as free to those who may claim it, and a claim lasts
   * until its room is free.
   */
  ROUND,
  /**
   * Kueue's cycle, alone: one head a queue. What drains counts as used until somebody who may evict
   * it chooses it as a victim, and what is promised in a cycle is forgotten at its end.
   */
  SINGLE;

  /** Whether what drains still counts as used by those who would be promised its room. */
  public boolean countsDraining() {
    return this == SINGLE;
  }
}
