// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.cluster.ClusterObject;
import java.util.UUID;

/** An object of a cluster, as it was at one time. */
public record ObjectRef(
    ClusterKind kind, String namespace, String name, UUID uid, String resourceVersion) {
  /** Of what an API server answered. */
  public static ObjectRef of(ClusterKind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectRef(
        kind,
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        UUID.fromString(metadata.path("uid").asText()),
        metadata.path("resourceVersion").asText());
  }

  /** Of what was committed. */
  public static ObjectRef of(ClusterObject object) {
    return new ObjectRef(
        ClusterKind.of(object.kind()),
        object.namespace(),
        object.name(),
        object.uid(),
        object.resourceVersion());
  }

  /** Of what was adopted; it may be of any version by now. */
  public static ObjectRef of(AdoptedObject object) {
    return new ObjectRef(
        ClusterKind.of(object.kind()), object.namespace(), object.name(), object.uid(), "");
  }

  /** What is to be committed of it. */
  public ClusterObject written(String cluster, AttemptKey attempt, int generation, boolean kept) {
    return new ClusterObject(
        cluster, uid, attempt, generation, kind.word(), namespace, name, resourceVersion, kept);
  }

  String path() {
    return kind.path(namespace) + "/" + name;
  }

  /** For people. */
  public String words() {
    return kind.word() + " " + namespace + "/" + name;
  }
}
