// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.fleet.Slice;
import java.util.List;

/** A booking or an outage: capacity that others may not use in a period. */
public sealed interface DatedObject extends QuotaObject permits Booking, Outage {
  /** Maximum number of bookings, and of outages. */
  int COUNT_MAX = 1_000;

  /** Maximum number of flavors, of slices, and of hosts that one names. */
  int ENTRIES_MAX = 1_000;

  Period period();

  /** The quota, at most one entry a flavor. */
  List<FlavorAmounts> quota();

  /** The names of the slices that are named themselves. */
  List<String> slices();

  /** Returns whether a slice of the fleet is meant, by its name or by one of its hosts. */
  boolean means(Slice slice);
}
