// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

/** Whether an inadmissible workload blocks those behind it. */
public enum QueueingStrategy {
  /** It blocks them. */
  STRICT_FIFO("StrictFIFO"),
  /** They are tried. */
  BEST_EFFORT_FIFO("BestEffortFIFO");

  private final String word;

  QueueingStrategy(String word) {
    this.word = word;
  }

  /** The word in manifests. */
  public String word() {
    return word;
  }
}
