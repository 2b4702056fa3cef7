// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.queuemodel.quota.ObjectKind;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The words by which documents say what they are, and the bounds that more than one kind has. */
final class Schema {
  static final String KUEUE_WRITTEN = "kueue.x-k8s.io/v1beta2";
  static final String KUEUE_OLD = "kueue.x-k8s.io/v1beta1";
  static final String GKE = "cloud.google.com/v1";
  static final String OURS = "sluice.io/v1";
  static final String CORE = "v1";

  static final String JOB = "Job";
  static final String FLEET = "Fleet";
  static final String PIPELINE = "Pipeline";
  static final String CRON_JOB = "CronJob";
  static final String LIST = "List";

  static final String DEFAULT_NAMESPACE = "default";
  static final int LABELS_MAX = 1000;
  static final int TOLERATIONS_MAX = 100;
  static final int RESOURCES_MAX = 64;

  private Schema() {}

  /** The kind of quota object of that word; null if there is none. */
  static @Nullable ObjectKind quotaKind(String word) {
    return Arrays.stream(ObjectKind.values())
        .filter(kind -> kind.kind().equals(word))
        .findFirst()
        .orElse(null);
  }

  /** The words of all kinds that can be read. */
  static SortedSet<String> kinds() {
    TreeSet<String> kinds = new TreeSet<>(List.of(JOB, FLEET, PIPELINE, CRON_JOB));
    Stream.of(ObjectKind.values()).map(ObjectKind::kind).forEach(kinds::add);
    return kinds;
  }
}
