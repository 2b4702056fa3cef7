// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The supported versions of Kueue's schema and their differences. */
public enum KueueVersion {
  V1BETA1(Schema.KUEUE_OLD, "cohort", "cohortName", "v1beta2"),
  V1BETA2(Schema.KUEUE_WRITTEN, "cohortName", "cohort", "v1beta1");

  private final String apiVersion;
  private final String cohortField;
  private final String otherCohortField;
  private final String otherVersion;

  KueueVersion(
      String apiVersion, String cohortField, String otherCohortField, String otherVersion) {
    this.apiVersion = apiVersion;
    this.cohortField = cohortField;
    this.otherCohortField = otherCohortField;
    this.otherVersion = otherVersion;
  }

  /** The version of that {@code apiVersion}; null if it is none of Kueue's that are read. */
  public static @Nullable KueueVersion of(String apiVersion) {
    for (KueueVersion version : values()) {
      if (version.apiVersion.equals(apiVersion)) {
        return version;
      }
    }
    return null;
  }

  /** The field of a ClusterQueue that names its cohort. */
  public String cohortField() {
    return cohortField;
  }

  /** Refuses the name that the field has in the other version. */
  public void refuseOtherCohortField(ObjectCursor spec) {
    spec.refuseAs(
        otherCohortField, "is the name in " + otherVersion + ": here it is " + cohortField);
  }

  /** The words of {@code whenCanBorrow} that keep to a flavor. */
  public List<String> wordsToBorrow() {
    return this == V1BETA1 ? List.of("MayStopSearch", "Borrow") : List.of("MayStopSearch");
  }

  /** The words of {@code whenCanPreempt} that keep to a flavor. */
  public List<String> wordsToPreempt() {
    return this == V1BETA1 ? List.of("MayStopSearch", "Preempt") : List.of("MayStopSearch");
  }
}
