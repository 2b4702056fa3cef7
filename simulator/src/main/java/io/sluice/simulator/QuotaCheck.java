// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.queuemodel.event.Event;
import java.util.SortedMap;

/** Checks P1: between two edits of quota objects, excesses only decrease. */
final class QuotaCheck {
  private QuotaCheck() {}

  /**
   * Compares the excesses before and after an event.
   *
   * @param before by node and resource
   * @throws BrokenPromiseException if the event made or enlarged one
   */
  static void check(SortedMap<String, Long> before, Event event, SortedMap<String, Long> after) {
    if (event instanceof Event.ObjectSet || event instanceof Event.ObjectRemoved) {
      return;
    }
    after.forEach(
        (where, excess) -> {
          if (excess > before.getOrDefault(where, 0L)) {
            throw new BrokenPromiseException(
                Promise.QUOTA, "excess of %d in %s after %s".formatted(excess, where, event));
          }
        });
  }
}
