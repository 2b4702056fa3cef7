// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

/**
 * Whether the next flavor is tried before borrowing or preemption in this one.
 *
 * @param tryNextBeforeBorrowing {@code whenCanBorrow: TryNextFlavor}
 * @param tryNextBeforePreempting {@code whenCanPreempt: TryNextFlavor}
 * @param preference which of two flavors is better when neither fits without borrowing or
 *     preemption
 */
public record FlavorFungibility(
    boolean tryNextBeforeBorrowing, boolean tryNextBeforePreempting, Preference preference) {
  /** Kueue's defaults. */
  public static final FlavorFungibility DEFAULT =
      new FlavorFungibility(false, true, Preference.BORROWING_OVER_PREEMPTION);

  /** What is given up last. */
  public enum Preference {
    BORROWING_OVER_PREEMPTION("BorrowingOverPreemption"),
    PREEMPTION_OVER_BORROWING("PreemptionOverBorrowing");

    private final String word;

    Preference(String word) {
      this.word = word;
    }

    /** The word in manifests. */
    public String word() {
      return word;
    }
  }
}
