// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

/**
 * The rule by which the engine answers a scheduling case: isolated cycles or rounds. The other
 * kinds of cases know no rule.
 */
public enum CaseRule {
  /** Each cycle of the case is one isolated cycle under Kueue's rules. */
  CYCLE("cycle"),
  /**
   * Each cycle of the case is isolated cycles until they decide nothing more. It shows what Kueue
   * decides later without any event in between.
   */
  CYCLES("cycles"),
  /** Each cycle of the case is one round, as servers run it under their default policy. */
  ROUND("round");

  private final String word;

  CaseRule(String word) {
    this.word = word;
  }

  /** The word on the command line. */
  public String word() {
    return word;
  }

  /** Whether servers decide so. */
  boolean live() {
    return this == ROUND;
  }
}
