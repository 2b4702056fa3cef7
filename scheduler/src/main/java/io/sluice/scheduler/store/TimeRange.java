// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.time.Instant;

/**
 * A period of time by which lists are filtered.
 *
 * @param since inclusive
 * @param until exclusive
 */
public record TimeRange(Instant since, Instant until) {
  /** The end of the times that are stored; the database cannot store much later ones. */
  public static final Instant END_OF_TIME = Instant.parse("9999-12-31T00:00:00Z");

  /** Contains every stored time. */
  public static final TimeRange ALL = new TimeRange(Instant.EPOCH, END_OF_TIME);

  /** Whether the database can store a time. */
  public static boolean storable(Instant time) {
    return !time.isBefore(Instant.EPOCH) && time.isBefore(END_OF_TIME);
  }
}
