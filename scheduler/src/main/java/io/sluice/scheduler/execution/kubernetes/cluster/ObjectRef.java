// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.cluster.ClusterObject;
import java.util.UUID;

/** Reference to one version of an object in a cluster. */
public record ObjectRef(
    ClusterKind kind, String namespace, String name, UUID uid, String resourceVersion) {
  /** Returns the reference to an object that an API server returned. */
  public static ObjectRef of(ClusterKind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectRef(
        kind,
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        UUID.fromString(metadata.path("uid").asText()),
        metadata.path("resourceVersion").asText());
  }

  /** Returns the reference to a committed object. */
  public static ObjectRef of(ClusterObject object) {
    return new ObjectRef(
        ClusterKind.of(object.kind()),
        object.namespace(),
        object.name(),
        object.uid(),
        object.resourceVersion());
  }

  /** Returns the reference to an adopted object of unknown resourceVersion. */
  public static ObjectRef of(AdoptedObject object) {
    return new ObjectRef(
        ClusterKind.of(object.kind()), object.namespace(), object.name(), object.uid(), "");
  }

  /** Returns the row to commit. */
  public ClusterObject written(String cluster, AttemptKey attempt, int generation, boolean kept) {
    return new ClusterObject(
        cluster, uid, attempt, generation, kind.word(), namespace, name, resourceVersion, kept);
  }

  String path() {
    return kind.path(namespace) + "/" + name;
  }

  /** Returns its kind and name for people. */
  public String words() {
    return kind.word() + " " + namespace + "/" + name;
  }
}
