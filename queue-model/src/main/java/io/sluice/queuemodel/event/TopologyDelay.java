// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.InvalidValueException;

/** The delay of a placement until the nodes for the pods exist. */
public enum TopologyDelay {
  PENDING("Pending"),
  READY("Ready");

  private final String word;

  TopologyDelay(String word) {
    this.word = word;
  }

  /**
   * What a word of Kueue's API means.
   *
   * @throws InvalidValueException if it means none of these
   */
  public static TopologyDelay of(String word) {
    for (TopologyDelay delay : values()) {
      if (delay.word.equals(word)) {
        return delay;
      }
    }
    throw new InvalidValueException("unknown delay of a topology request: " + word);
  }

  /** The word in Kueue's API. */
  public String word() {
    return word;
  }
}
