// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

/** A kind of contract for capacity: Spot, flex-start, reservation or on-demand. */
public enum CapacityType {
  /** Cheap, and reclaimed by its provider at about 30 s notice. */
  SPOT("spot"),
  /** Granted when there is room, for at most seven days. */
  FLEX_START("flex-start"),
  /** Paid for whether used or not. */
  RESERVATION("reservation"),
  /** Had for the asking, while stock lasts. */
  ON_DEMAND("on-demand");

  private final String word;

  CapacityType(String word) {
    this.word = word;
  }

  /** The word in manifests. */
  public String word() {
    return word;
  }
}
