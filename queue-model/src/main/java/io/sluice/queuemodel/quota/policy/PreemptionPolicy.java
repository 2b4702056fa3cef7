// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

/** Which work a preemptor may evict, in its own queue or in its cohort. */
public enum PreemptionPolicy {
  NEVER("Never"),
  LOWER_PRIORITY("LowerPriority"),
  LOWER_OR_NEWER_EQUAL_PRIORITY("LowerOrNewerEqualPriority"),
  ANY("Any");

  private final String word;

  PreemptionPolicy(String word) {
    this.word = word;
  }

  /** The word in manifests. */
  public String word() {
    return word;
  }
}
