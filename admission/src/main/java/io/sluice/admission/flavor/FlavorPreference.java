// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.quota.policy.FlavorFungibility;

/**
 * The rank of a flavor, by the rules of Kueue's flavor fungibility.
 *
 * @param level borrowing level: height of the lowest subtree that covers the usage
 */
public record FlavorPreference(Level mode, int level) {
  /** The quality of a flavor, from worst to best. */
  public enum Level {
    NO_FIT(AssignmentMode.NO_FIT),
    NO_CANDIDATES(AssignmentMode.PREEMPT),
    PREEMPT(AssignmentMode.PREEMPT),
    RECLAIM(AssignmentMode.PREEMPT),
    FIT(AssignmentMode.FIT);

    private final AssignmentMode mode;

    Level(AssignmentMode mode) {
      this.mode = mode;
    }

    AssignmentMode assignmentMode() {
      return mode;
    }

    static Level of(Possibility possibility) {
      return switch (possibility) {
        case NO_CANDIDATES -> NO_CANDIDATES;
        case PREEMPT -> PREEMPT;
        case RECLAIM -> RECLAIM;
      };
    }
  }

  static final FlavorPreference BEST = new FlavorPreference(Level.FIT, 0);
  static final FlavorPreference WORST = new FlavorPreference(Level.NO_FIT, Integer.MAX_VALUE);

  /** Returns whether this flavor is preferred to the other. */
  public boolean betterThan(FlavorPreference other, FlavorFungibility fungibility) {
    if (mode == Level.NO_FIT || other.mode == Level.NO_FIT) {
      return mode != Level.NO_FIT;
    }
    int byMode = mode.compareTo(other.mode);
    boolean hopeless = mode == Level.NO_CANDIDATES || other.mode == Level.NO_CANDIDATES;
    int byLevel = Integer.compare(other.level, level);
    return switch (fungibility.preference()) {
      case BORROWING_OVER_PREEMPTION -> byMode != 0 ? byMode > 0 : byLevel > 0;
      // Without candidates, a lower borrowing level is no advantage.
      case PREEMPTION_OVER_BORROWING ->
          (byLevel == 0 || (hopeless && byMode != 0)) ? byMode > 0 : byLevel > 0;
    };
  }

  /** Returns whether the search should continue after this flavor. */
  boolean worthLookingFurther(FlavorFungibility fungibility) {
    return switch (mode) {
      case NO_FIT, NO_CANDIDATES -> true;
      case PREEMPT, RECLAIM ->
          fungibility.tryNextBeforePreempting()
              || (level > 0 && fungibility.tryNextBeforeBorrowing());
      case FIT -> level > 0 && fungibility.tryNextBeforeBorrowing();
    };
  }
}
