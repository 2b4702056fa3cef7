// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.InvalidValueException;
import java.time.Instant;

/**
 * A range of time.
 *
 * @param from first moment
 * @param until end, exclusive; later than {@code from}
 */
public record Period(Instant from, Instant until) {
  public Period {
    if (!from.isBefore(until)) {
      throw new InvalidValueException("must be later than from, " + from + ": it is " + until);
    }
  }

  /** Returns whether both have a moment in common. */
  public boolean overlaps(Period other) {
    return from.isBefore(other.until) && other.from.isBefore(until);
  }

  /** As {@code from 2026-12-01T08:00:00Z until 2026-12-02T08:00:00Z}. */
  @Override
  public String toString() {
    return "from " + from + " until " + until;
  }
}
