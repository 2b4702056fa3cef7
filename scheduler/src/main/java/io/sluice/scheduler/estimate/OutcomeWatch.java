// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.estimate;

/** Told by the leader of each stated range whose job has started. Returns at once. */
@FunctionalInterface
public interface OutcomeWatch {
  /** Where a start was, relative to the stated range. */
  enum Place {
    EARLY,
    IN_RANGE,
    LATE;

    /** The word for people and metrics. */
    public String word() {
      return switch (this) {
        case EARLY -> "early";
        case IN_RANGE -> "in_range";
        case LATE -> "late";
      };
    }
  }

  void settled(String clusterQueue, Place place);
}
