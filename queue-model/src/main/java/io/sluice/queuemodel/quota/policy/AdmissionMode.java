// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

/** The order among the LocalQueues of a ClusterQueue, in Kueue's terms. */
public enum AdmissionMode {
  /** Jobs stand by priority and age, whichever LocalQueue they came by. */
  NO_FAIR_SHARING("NoAdmissionFairSharing"),
  /** Jobs of the LocalQueue that used the least of late, by its weight, stand before others. */
  BY_USAGE("UsageBasedAdmissionFairSharing");

  private final String word;

  AdmissionMode(String word) {
    this.word = word;
  }

  /** The word in the API. */
  public String word() {
    return word;
  }
}
