// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.queuemodel.InvalidValueException;
import java.util.Arrays;

/** Kinds of Kubernetes objects that attempts run as. */
public enum ClusterKind {
  JOB(ForeignKind.JOB, "jobs"),
  JOB_SET(ForeignKind.JOB_SET, "jobsets"),
  RAY_JOB(ForeignKind.RAY_JOB, "rayjobs"),
  RAY_CLUSTER(ForeignKind.RAY_CLUSTER, "rayclusters"),
  PATHWAYS_JOB(ForeignKind.PATHWAYS_JOB, "pathwaysjobs"),
  TRAIN_JOB(ForeignKind.TRAIN_JOB, "trainjobs"),
  POD(ForeignKind.POD, "pods");

  private final ForeignKind kind;
  private final String plural;

  ClusterKind(ForeignKind kind, String plural) {
    this.kind = kind;
    this.plural = plural;
  }

  /**
   * Returns the kind of an object, or of a manifest's word.
   *
   * @throws InvalidValueException if there is no such kind
   */
  public static ClusterKind of(String word) {
    return Arrays.stream(values())
        .filter(one -> one.word().equals(word))
        .findFirst()
        .orElseThrow(
            () -> new InvalidValueException("no object of kind " + word + " runs attempts"));
  }

  /** Whether a kind with that word runs attempts. */
  public static boolean isWord(String word) {
    return Arrays.stream(values()).anyMatch(one -> one.word().equals(word));
  }

  public static ClusterKind of(JsonNode object) {
    return of(object.path("kind").asText());
  }

  /** Returns the kind's word in manifests. */
  public String word() {
    return kind.word();
  }

  public String apiVersion() {
    return kind.apiVersion();
  }

  public String plural() {
    return plural;
  }

  /** Returns the API path of its objects in a namespace. */
  String path(String namespace) {
    return apiPath() + "/namespaces/" + namespace + "/" + plural;
  }

  /** Returns the API path of its objects in a version of its API. */
  String path(String version, String namespace) {
    return apiPath(version) + "/namespaces/" + namespace + "/" + plural;
  }

  /** Returns the path of its API group and version. */
  String apiPath() {
    return apiPath(apiVersion());
  }

  static String apiPath(String apiVersion) {
    return (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
  }

  public ResourceDefinitionContext context() {
    return context(apiVersion(), word(), plural);
  }

  /** Returns the client's description of a namespaced kind. */
  static ResourceDefinitionContext context(String apiVersion, String word, String plural) {
    int slash = apiVersion.indexOf('/');
    ResourceDefinitionContext.Builder builder =
        new ResourceDefinitionContext.Builder()
            .withKind(word)
            .withPlural(plural)
            .withNamespaced(true)
            .withVersion(apiVersion.substring(slash + 1));
    return (slash < 0 ? builder : builder.withGroup(apiVersion.substring(0, slash))).build();
  }
}
