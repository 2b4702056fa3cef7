// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a cluster that are jobs, single or in groups; parses each version of a pod once. Not
 * thread-safe.
 */
final class SeenPods {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<UUID, Read> read = new TreeMap<>();
  private final Map<UUID, SeenPodGroup> groups = new TreeMap<>();

  /** A parsed version of a pod; null for a pod that waits with its owner, or is not held. */
  private record Read(String version, @Nullable JsonNode pod) {}

  /**
   * Replaces the known pods by the present ones.
   *
   * @param naming pods that name a queue
   * @param unnamed pods that need not name a queue; only gated ones count, since running ones
   *     continue
   * @return the groups, by UID
   */
  Map<UUID, SeenObject> see(
      Collection<GenericKubernetesResource> naming,
      Collection<GenericKubernetesResource> unnamed,
      Instant now) {
    Map<UUID, Read> present = new TreeMap<>();
    naming.forEach(pod -> add(pod, false, present));
    unnamed.forEach(pod -> add(pod, true, present));
    read.clear();
    read.putAll(present);
    List<JsonNode> pods = new ArrayList<>();
    for (Read one : present.values()) {
      if (one.pod() != null) {
        pods.add(one.pod());
      }
    }
    groups.clear();
    Map<UUID, SeenObject> seen = new TreeMap<>();
    for (SeenPodGroup group : SeenPodGroup.of(pods)) {
      groups.put(group.uid(), group);
      seen.put(group.uid(), group.seen(now));
    }
    return seen;
  }

  private void add(GenericKubernetesResource pod, boolean onlyHeld, Map<UUID, Read> present) {
    UUID uid = UUID.fromString(pod.getMetadata().getUid());
    String version = pod.getMetadata().getResourceVersion();
    Read before = read.get(uid);
    present.put(
        uid,
        before != null && before.version().equals(version)
            ? before
            : new Read(version, job(pod, onlyHeld)));
  }

  private static @Nullable JsonNode job(GenericKubernetesResource pod, boolean onlyHeld) {
    JsonNode object = JSON.valueToTree(pod);
    return switch (SeenObject.owner(ClusterKind.POD, object)) {
      case OTHER -> null;
      case ATTEMPT -> object;
      case USER -> onlyHeld && !AttemptLabels.isGated(object) ? null : object;
    };
  }

  /** Returns all of a group as one document, as it was last observed; null if unknown. */
  @Nullable JsonNode find(UUID uid) {
    SeenPodGroup group = groups.get(uid);
    return group == null ? null : group.whole();
  }
}
