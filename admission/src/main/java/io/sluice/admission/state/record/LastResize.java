// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.event.Resize;
import java.time.Instant;
import java.util.List;

/**
 * The last time that an attempt went on with other slices.
 *
 * @param at when that was decided
 * @param settled whether nothing is left of older generations
 * @param letGo slices that it holds only until then; none once it is settled
 * @param counted for how many slices it holds quota until then: never for fewer than processes may
 *     still run on
 */
public record LastResize(
    Resize resize, Instant at, boolean settled, List<String> letGo, int counted) {
  public LastResize {
    letGo = List.copyOf(letGo);
  }

  /** One that has just been decided: the attempt still holds what it lets go of. */
  public static LastResize begun(Resize resize, Instant at, List<String> letGo, int counted) {
    return new LastResize(resize, at, false, letGo, counted);
  }

  public LastResize settle(int slices) {
    return new LastResize(resize, at, true, List.of(), slices);
  }
}
