// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.sluice.queuemodel.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;

/** The kinds of objects that a manifest may carry beside its job. */
public enum BesideKind {
  CONFIG_MAP("v1", "ConfigMap"),
  PERSISTENT_VOLUME_CLAIM("v1", "PersistentVolumeClaim"),
  SERVICE("v1", "Service"),
  SERVICE_ACCOUNT("v1", "ServiceAccount"),
  RESOURCE_CLAIM("resource.k8s.io/v1", "ResourceClaim"),
  RESOURCE_CLAIM_TEMPLATE("resource.k8s.io/v1", "ResourceClaimTemplate"),
  TRAINING_RUNTIME("trainer.kubeflow.org/v1alpha1", "TrainingRuntime"),
  CLUSTER_TRAINING_RUNTIME("trainer.kubeflow.org/v1alpha1", "ClusterTrainingRuntime");

  private final String apiVersion;
  private final String word;

  BesideKind(String apiVersion, String word) {
    this.apiVersion = apiVersion;
    this.word = word;
  }

  /**
   * Returns the kind of a manifest's word.
   *
   * @throws InvalidValueException if there is no such kind
   */
  static BesideKind of(String word) {
    return Arrays.stream(values())
        .filter(one -> one.word.equals(word))
        .findFirst()
        .orElseThrow(
            () -> new InvalidValueException("no object of kind " + word + " stands beside a job"));
  }

  /** Returns a version of its API; manifests may use another version of the group. */
  public String apiVersion() {
    return apiVersion;
  }

  public String plural() {
    return word.toLowerCase(Locale.ROOT) + "s";
  }

  /** Returns the path of its objects in a version of its API. */
  String path(String version, String namespace) {
    String api = ClusterKind.apiPath(version);
    return this == CLUSTER_TRAINING_RUNTIME
        ? api + "/" + plural()
        : api + "/namespaces/" + namespace + "/" + plural();
  }
}
