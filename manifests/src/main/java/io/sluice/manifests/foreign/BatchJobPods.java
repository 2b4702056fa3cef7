// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.Labels;
import org.jspecify.annotations.Nullable;

/** Reads the pods of Kubernetes' own Jobs, by themselves and as parts of other kinds. */
final class BatchJobPods {
  static final String POD_SET = "main";
  private static final String MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism";
  private static final int SECONDS_MAX = 365 * 24 * 3600;

  private BatchJobPods() {}

  /** The one pod set of a Job. */
  static void read(ObjectCursor top, Labels annotations, ForeignPodSets into) {
    ObjectCursor spec = top.objectOrEmpty("spec", "a Job's spec");
    int count = podsAtOnce(spec);
    Integer minCount = minCount(top, annotations, count);
    ObjectCursor template = template(spec);
    if (template == null) {
      return;
    }
    into.limit(deadline(spec));
    into.add(
        ForeignPods.read(template, POD_SET, count, minCount),
        new PodSetPlace(POD_SET, 0, "/spec/template", "/spec/parallelism", 1),
        top.violations());
  }

  /** How many pods of a Job run at once: no more than are to be completed. */
  static int podsAtOnce(ObjectCursor spec) {
    int parallelism = spec.whole("parallelism", 1, ForeignPodSets.PODS_MAX, 1);
    Integer completions = spec.whole("completions", 1, Integer.MAX_VALUE);
    return completions == null ? parallelism : Math.min(parallelism, completions);
  }

  static @Nullable Integer deadline(ObjectCursor spec) {
    return spec.whole("activeDeadlineSeconds", 1, SECONDS_MAX);
  }

  /** The pod template, which must be there. */
  static @Nullable ObjectCursor template(ObjectCursor owner) {
    return owner.require("template") ? owner.object("template", "a pod template") : null;
  }

  private static @Nullable Integer minCount(ObjectCursor top, Labels annotations, int count) {
    String written = annotations.get(MIN_PARALLELISM);
    if (written == null) {
      return null;
    }
    Integer minCount = MetadataReader.whole(written);
    if (minCount != null && minCount >= 1 && minCount <= count) {
      return minCount;
    }
    top.violations()
        .add(
            top.path("metadata").field("annotations").key(MIN_PARALLELISM),
            written,
            "must be a whole number from 1 to " + count + ", the pods that run at once");
    return null;
  }
}
