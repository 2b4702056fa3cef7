// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import io.sluice.queuemodel.quota.ObjectKind;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Kinds, API versions, and bounds that several kinds share. */
public final class Schema {
  public static final String KUEUE_WRITTEN = "kueue.x-k8s.io/v1beta2";
  public static final String KUEUE_OLD = "kueue.x-k8s.io/v1beta1";
  public static final String GKE = "cloud.google.com/v1";
  public static final String OURS = "sluice.io/v1";
  public static final String CORE = "v1";

  public static final String JOB = "Job";
  public static final String FLEET = "Fleet";
  public static final String PIPELINE = "Pipeline";
  public static final String CRON_JOB = "CronJob";
  public static final String LIST = "List";

  public static final String DEFAULT_NAMESPACE = "default";
  public static final int LABELS_MAX = 1000;
  public static final int TOLERATIONS_MAX = 100;
  public static final int RESOURCES_MAX = 64;

  private Schema() {}

  /** The kind of quota object of that word; null if there is none. */
  public static @Nullable ObjectKind quotaKind(String word) {
    return Arrays.stream(ObjectKind.values())
        .filter(kind -> kind.kind().equals(word))
        .findFirst()
        .orElse(null);
  }

  /** Whether a kind of quota object is ours, not one of Kueue or GKE. */
  public static boolean isOurs(ObjectKind kind) {
    return switch (kind) {
      case BOOKING, OUTAGE, TEAM, ROLE_BINDING -> true;
      case TOPOLOGY,
          RESOURCE_FLAVOR,
          COHORT,
          CLUSTER_QUEUE,
          LOCAL_QUEUE,
          WORKLOAD_PRIORITY_CLASS,
          COMPUTE_CLASS ->
          false;
    };
  }

  /** The words of all kinds that can be read. */
  public static SortedSet<String> kinds() {
    TreeSet<String> kinds = new TreeSet<>(List.of(JOB, FLEET, PIPELINE, CRON_JOB));
    Stream.of(ObjectKind.values()).map(ObjectKind::kind).forEach(kinds::add);
    return kinds;
  }
}
