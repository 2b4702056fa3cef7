// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.state.fact.Attempt;
import java.util.List;

/**
 * Fillers to be taken back, none of which can be left out.
 *
 * @param shrinking by attempt and generation, what is left to it
 * @param slices what there is then for whom they are taken back, if slices are asked for
 */
public record TakenFillers(List<Shrinking> shrinking, List<String> slices) {
  public TakenFillers {
    shrinking = List.copyOf(shrinking);
    slices = List.copyOf(slices);
  }

  /**
   * An attempt that shrinks.
   *
   * @param generation of the attempt when this was found
   * @param left the slices that it keeps
   */
  record Shrinking(Attempt attempt, int generation, List<String> left) {
    Shrinking {
      left = List.copyOf(left);
    }

    /** Whether it is still as it was. */
    boolean holds() {
      return attempt.endedAt() == null && !attempt.draining() && attempt.generation() == generation;
    }
  }
}
