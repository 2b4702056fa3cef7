// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.policy;

import java.util.List;

/**
 * Fair sharing, as in Kueue: who would have the smallest share of what is borrowed is served first,
 * and who has the largest is evicted first.
 *
 * @param strategies in the order in which they are tried; at least one
 * @param reclaimsNominal whether a queue that stays within its own quota may evict what others
 *     borrow, whatever the shares
 * @param nonBorrowingFirst whether those who would not borrow what they ask for are served before
 *     those who would, whatever the shares
 */
public record FairSharing(
    List<Strategy> strategies, boolean reclaimsNominal, boolean nonBorrowingFirst) {
  /** Kueue's defaults. */
  public static final FairSharing DEFAULT =
      new FairSharing(
          List.of(Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE, Strategy.LESS_THAN_INITIAL_SHARE),
          true,
          true);

  public FairSharing {
    strategies = List.copyOf(strategies);
    if (strategies.isEmpty()) {
      throw new IllegalArgumentException("fair sharing needs a strategy");
    }
  }

  /** When a share allows an eviction. */
  public enum Strategy {
    /** The preemptor would have no more than the victim's side keeps. */
    LESS_THAN_OR_EQUAL_TO_FINAL_SHARE("LessThanOrEqualToFinalShare"),
    /** The preemptor would have less than the victim's side has before. */
    LESS_THAN_INITIAL_SHARE("LessThanInitialShare");

    private final String word;

    Strategy(String word) {
      this.word = word;
    }

    /** The word in Kueue's configuration. */
    public String word() {
      return word;
    }
  }
}
