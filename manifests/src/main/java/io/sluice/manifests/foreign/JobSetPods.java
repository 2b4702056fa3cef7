// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import io.sluice.manifests.field.ObjectCursor;
import org.jspecify.annotations.Nullable;

/** Reads the pods of JobSets: each of its replicated Jobs is a pod set. */
final class JobSetPods {
  private static final int REPLICATED_JOBS_MAX = 64;

  private JobSetPods() {}

  static void read(ObjectCursor top, ForeignPodSets into) {
    ObjectCursor spec = top.objectOrEmpty("spec", "a JobSet's spec");
    spec.requireEntries("replicatedJobs");
    ObjectCursor failurePolicy = spec.objectOrEmpty("failurePolicy", "a failure policy");
    Integer restarts = failurePolicy.whole("maxRestarts", 0, Integer.MAX_VALUE);
    boolean restarted = restarts != null && restarts > 0;
    int[] number = {0};
    spec.objects(
        "replicatedJobs",
        REPLICATED_JOBS_MAX,
        "a replicated Job",
        job -> replicatedJob(job, "/spec/replicatedJobs/" + number[0]++, restarted, into));
  }

  /**
   * A replicated Job; one without replicas has no pods.
   *
   * @param restarted whether the JobSet begins anew when a Job fails, and its deadline with it: it
   *     then bounds no attempt
   */
  private static @Nullable Boolean replicatedJob(
      ObjectCursor job, String pointer, boolean restarted, ForeignPodSets into) {
    String name = job.requiredText("name", written -> written);
    int replicas = job.whole("replicas", 0, ForeignPodSets.PODS_MAX, 1);
    ObjectCursor jobTemplate = BatchJobPods.template(job);
    if (jobTemplate == null || replicas == 0) {
      return null;
    }
    ObjectCursor spec = jobTemplate.objectOrEmpty("spec", "a Job's spec");
    int perReplica = BatchJobPods.podsAtOnce(spec);
    ObjectCursor template = BatchJobPods.template(spec);
    if (template == null) {
      return null;
    }
    if (!restarted) {
      into.limit(BatchJobPods.deadline(spec));
    }
    into.add(
        ForeignPods.read(template, name, times(replicas, perReplica), null),
        new PodSetPlace(
            name, 0, pointer + "/template/spec/template", pointer + "/replicas", perReplica),
        job.violations());
    return null;
  }

  /** So many times as many pods; one too many, which is refused, where there are far too many. */
  static int times(int replicas, int perReplica) {
    return (int) Math.min((long) replicas * perReplica, ForeignPodSets.PODS_MAX + 1L);
  }
}
