// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds of Kubernetes and its operators that are read as jobs. */
public enum ForeignKind {
  JOB("batch/v1", "Job"),
  JOB_SET("jobset.x-k8s.io/v1alpha2", "JobSet"),
  RAY_JOB("ray.io/v1", "RayJob"),
  RAY_CLUSTER("ray.io/v1", "RayCluster"),
  PATHWAYS_JOB("pathways-job.pathways.domain/v1", "PathwaysJob"),
  TRAIN_JOB("trainer.kubeflow.org/v1alpha1", "TrainJob"),
  POD("v1", "Pod");

  private final String apiVersion;
  private final String word;

  ForeignKind(String apiVersion, String word) {
    this.apiVersion = apiVersion;
    this.word = word;
  }

  /** The API group and version that is read and written. */
  public String apiVersion() {
    return apiVersion;
  }

  /** The word in manifests. */
  public String word() {
    return word;
  }

  /** The kind of that word and group; null if none of these is meant. */
  static @Nullable ForeignKind of(String apiVersion, String word) {
    return Arrays.stream(values())
        .filter(kind -> kind.word.equals(word) && kind.apiVersion.equals(apiVersion))
        .findFirst()
        .orElse(null);
  }

  /** In which group and version a kind of that word is read; null: in none. */
  public static @Nullable String versionOf(String word) {
    return Arrays.stream(values())
        .filter(kind -> kind.word.equals(word))
        .map(ForeignKind::apiVersion)
        .findFirst()
        .orElse(null);
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(ForeignKind::word).toList();
  }
}
