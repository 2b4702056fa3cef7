// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

/** What happens to an attempt that stays stalled: it fails, or is only reported. */
public enum StallPolicy {
  /** It is said, and nothing else: it runs on. */
  REPORT("Report"),
  /** It fails when it has been stalled for one more progress deadline. */
  FAIL("Fail");

  private final String word;

  StallPolicy(String word) {
    this.word = word;
  }

  /** The word for it in manifests. */
  public String word() {
    return word;
  }
}
