// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import io.sluice.manifests.field.ObjectCursor;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pods of RayClusters and RayJobs: head, worker groups, and a RayJob's submitter. A
 * replica of a worker group is as many pods as it says hosts: a slice.
 */
final class RayPods {
  static final String HEAD = "head";
  static final String SUBMITTER = "submitter";
  private static final int GROUPS_MAX = 64;
  private static final int SECONDS_MAX = 365 * 24 * 3600;

  private final ForeignPodSets into;

  private RayPods(ForeignPodSets into) {
    this.into = into;
  }

  static void readCluster(ObjectCursor top, ForeignPodSets into) {
    ObjectCursor spec = top.objectOrEmpty("spec", "a RayCluster's spec");
    new RayPods(into).cluster(spec, "/spec");
  }

  static void readJob(ObjectCursor top, ForeignPodSets into) {
    ObjectCursor spec = top.objectOrEmpty("spec", "a RayJob's spec");
    spec.refuseAs(
        "clusterSelector", "must not be there: the job would run on a cluster that is not its own");
    if (!Boolean.TRUE.equals(spec.flag("shutdownAfterJobFinishes"))) {
      spec.refuse(
          "shutdownAfterJobFinishes", "must be true: else its cluster stays when it has ended");
    }
    into.limit(spec.whole("activeDeadlineSeconds", 1, SECONDS_MAX));
    if (!spec.require("rayClusterSpec")) {
      return;
    }
    ObjectCursor cluster = spec.objectOrEmpty("rayClusterSpec", "a RayCluster's spec");
    new RayPods(into).cluster(cluster, "/spec/rayClusterSpec");
    submitter(spec, into);
  }

  private void cluster(ObjectCursor spec, String pointer) {
    if (Boolean.TRUE.equals(spec.flag("enableInTreeAutoscaling"))) {
      spec.refuse(
          "enableInTreeAutoscaling", "must not be true: how many workers it has is decided here");
    }
    spec.require("headGroupSpec");
    ObjectCursor head = spec.object("headGroupSpec", "a head group");
    ObjectCursor template = head == null ? null : BatchJobPods.template(head);
    if (template != null) {
      into.add(
          ForeignPods.read(template, HEAD, 1, null),
          new PodSetPlace(HEAD, 0, pointer + "/headGroupSpec/template", null, 1),
          spec.violations());
    }
    int[] number = {0};
    spec.objects(
        "workerGroupSpecs",
        GROUPS_MAX,
        "a worker group",
        group -> workers(group, pointer + "/workerGroupSpecs/" + number[0]++));
  }

  private @Nullable Boolean workers(ObjectCursor group, String pointer) {
    String name = group.requiredText("groupName", written -> written).toLowerCase(Locale.ROOT);
    int hosts = group.whole("numOfHosts", 1, ForeignPodSets.PODS_MAX, 1);
    Integer min = group.whole("minReplicas", 0, ForeignPodSets.PODS_MAX);
    Integer max = group.whole("maxReplicas", 0, Integer.MAX_VALUE);
    int usual = min == null ? 1 : Math.max(1, min);
    int replicas = group.whole("replicas", 0, ForeignPodSets.PODS_MAX, usual);
    if ((min != null && min > replicas) || (max != null && max < replicas)) {
      group.refuse("replicas", "must be between minReplicas and maxReplicas");
    }
    ObjectCursor template = BatchJobPods.template(group);
    if (template == null || replicas == 0) {
      return null;
    }
    ForeignPods pods = ForeignPods.read(template, name, JobSetPods.times(replicas, hosts), null);
    into.add(
        pods,
        new PodSetPlace(name, 0, pointer + "/template", pointer + "/replicas", hosts),
        group.violations());
    // A least of 0 is what API servers fill in, and the most is for who scales on demand: nobody
    // does, so what is named is all that is wanted.
    if (min != null && min > 0 && min < replicas) {
      into.addElastic(new ElasticRange(name, min, replicas));
    }
    return null;
  }

  /** Who submits is a pod of its own, unless the operator or the head does it. */
  private static void submitter(ObjectCursor spec, ForeignPodSets into) {
    String mode = spec.text("submissionMode");
    if (mode != null && mode.equals("SidecarMode")) {
      spec.refuse("submissionMode", "is not supported yet");
    }
    if (mode != null && !mode.equals("K8sJobMode")) {
      return;
    }
    boolean written = spec.has("submitterPodTemplate");
    ObjectCursor template =
        written
            ? spec.objectOrEmpty("submitterPodTemplate", "a pod template")
            : ObjectCursor.open(
                SubmitterTemplate.usual(""),
                spec.path("submitterPodTemplate"),
                "a pod template",
                spec.violations());
    if (template != null) {
      into.add(
          ForeignPods.read(template, SUBMITTER, 1, null),
          new PodSetPlace(SUBMITTER, 0, "/spec/submitterPodTemplate", null, 1),
          spec.violations());
    }
  }
}
