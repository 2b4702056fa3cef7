// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.state.fact.Attempt;
import java.time.Duration;
import java.util.List;

/**
 * A minimal set of fillers to take back.
 *
 * @param shrinking the shrinking attempts, with the slices that they keep
 * @param slices slices for the head that takes the fillers back; empty if it requests none
 */
public record TakenFillers(List<Shrinking> shrinking, List<String> slices) {
  public TakenFillers {
    shrinking = List.copyOf(shrinking);
    slices = List.copyOf(slices);
  }

  /** Returns the longest time that one of them may take to settle on what it keeps. */
  Duration settleTime() {
    Duration longest = Duration.ZERO;
    for (Shrinking one : shrinking) {
      Duration its = one.attempt().settleTime();
      longest = its.compareTo(longest) > 0 ? its : longest;
    }
    return longest;
  }

  /**
   * An attempt that shrinks.
   *
   * @param generation generation of the attempt when the fillers were found
   * @param left slices that the attempt keeps
   */
  record Shrinking(Attempt attempt, int generation, List<String> left) {
    Shrinking {
      left = List.copyOf(left);
    }

    /** Returns whether the attempt is unchanged. */
    boolean holds() {
      return attempt.endedAt() == null && !attempt.draining() && attempt.generation() == generation;
    }
  }
}
