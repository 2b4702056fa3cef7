// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.policy;

import java.util.List;

/**
 * Settings of fair sharing, as in Kueue: the smallest dominant share is served first, and the
 * largest is preempted first.
 *
 * @param strategies preemption strategies in the order in which they are tried; at least one
 * @param reclaimsNominal whether a queue within its nominal quota may preempt borrowers regardless
 *     of shares
 * @param nonBorrowingFirst whether heads that do not borrow are served before heads that do,
 *     regardless of shares
 */
public record FairSharing(
    List<Strategy> strategies, boolean reclaimsNominal, boolean nonBorrowingFirst) {
  /** The defaults of Kueue. */
  public static final FairSharing DEFAULT =
      new FairSharing(
          List.of(Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE, Strategy.LESS_THAN_INITIAL_SHARE),
          true,
          true);

  public FairSharing {
    strategies = List.copyOf(strategies);
    if (strategies.isEmpty()) {
      throw new IllegalArgumentException("fair sharing requires at least one strategy");
    }
  }

  /** When shares permit a preemption. */
  public enum Strategy {
    /** The preemptor's share would be at most that of the victim's side afterwards. */
    LESS_THAN_OR_EQUAL_TO_FINAL_SHARE("LessThanOrEqualToFinalShare"),
    /** The preemptor's share would be less than that of the victim's side before. */
    LESS_THAN_INITIAL_SHARE("LessThanInitialShare");

    private final String word;

    Strategy(String word) {
      this.word = word;
    }

    /** Returns the word in Kueue's configuration. */
    public String word() {
      return word;
    }
  }
}
