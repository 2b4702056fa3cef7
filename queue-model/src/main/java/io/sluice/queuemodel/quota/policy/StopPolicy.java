// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

/** Whether a queue admits. */
public enum StopPolicy {
  /** It does. */
  NONE("None"),
  /** It admits nothing; what runs goes on. */
  HOLD("Hold"),
  /** It admits nothing; what runs is evicted. */
  HOLD_AND_DRAIN("HoldAndDrain");

  private final String word;

  StopPolicy(String word) {
    this.word = word;
  }

  /** The word in manifests. */
  public String word() {
    return word;
  }
}
