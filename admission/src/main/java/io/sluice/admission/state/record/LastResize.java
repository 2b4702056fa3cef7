// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.event.Resize;
import java.time.Instant;
import java.util.List;

/**
 * The last resize of an attempt.
 *
 * @param at time of the decision
 * @param settled whether nothing is left of older generations
 * @param letGo slices that it holds until it is settled; empty afterwards
 * @param counted number of slices that count against quota until then: at least as many as
 *     processes may still use
 */
public record LastResize(
    Resize resize, Instant at, boolean settled, List<String> letGo, int counted) {
  public LastResize {
    letGo = List.copyOf(letGo);
  }

  /** Returns a new resize: the attempt still holds the slices that it lets go of. */
  public static LastResize begun(Resize resize, Instant at, List<String> letGo, int counted) {
    return new LastResize(resize, at, false, letGo, counted);
  }

  public LastResize settle(int slices) {
    return new LastResize(resize, at, true, List.of(), slices);
  }
}
