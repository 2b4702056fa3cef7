// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.scheduler.execution.kubernetes.adoption.SeenObject.Owner;
import io.sluice.scheduler.execution.kubernetes.adoption.SeenObject.Phase;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectDigest;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.job.ShapeRows;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pods that form one job: a pod group as Kueue defines it, or a single pod.
 *
 * @param pods pods as an API server returns them, in the order of their names
 */
public record SeenPodGroup(List<JsonNode> pods) {
  private static final String GROUP = "kueue.x-k8s.io/pod-group-name";
  private static final String COUNT = "kueue.x-k8s.io/pod-group-total-count";

  /** Time in which an incomplete group is not reported: its pods are created one by one. */
  private static final Duration FORMS_WITHIN = Duration.ofSeconds(10);

  public SeenPodGroup {
    pods =
        pods.stream().sorted(Comparator.comparing(pod -> ObjectRef.of(POD, pod).name())).toList();
  }

  private static final ClusterKind POD = ClusterKind.POD;

  /**
   * Groups pods. A group that runs again under its name is another group. While a group is being
   * admitted, only some of its pods carry the labels of its job.
   */
  static List<SeenPodGroup> of(Collection<JsonNode> pods) {
    Map<String, Map<String, List<JsonNode>>> named = new TreeMap<>();
    List<SeenPodGroup> groups = new ArrayList<>();
    for (JsonNode pod : pods) {
      String group = label(pod, GROUP);
      if (group.isEmpty()) {
        groups.add(new SeenPodGroup(List.of(pod)));
      } else {
        String job = SeenObject.owner(POD, pod) == Owner.ATTEMPT ? job(pod) : "";
        named
            .computeIfAbsent(ObjectRef.of(POD, pod).namespace() + "/" + group, x -> new TreeMap<>())
            .computeIfAbsent(job, x -> new ArrayList<>())
            .add(pod);
      }
    }
    named.values().forEach(byJob -> addTo(groups, byJob));
    return groups;
  }

  private static void addTo(List<SeenPodGroup> groups, Map<String, List<JsonNode>> byJob) {
    List<JsonNode> nobodys = byJob.getOrDefault("", List.of());
    byJob.remove("");
    for (List<JsonNode> jobs : byJob.values()) {
      List<JsonNode> all = new ArrayList<>(jobs);
      if (jobs.size() + nobodys.size() == count(jobs.get(0))) {
        all.addAll(nobodys);
        nobodys = List.of();
      }
      groups.add(new SeenPodGroup(all));
    }
    if (!nobodys.isEmpty()) {
      groups.add(new SeenPodGroup(nobodys));
    }
  }

  /**
   * Reads the adopted pods from the API server.
   *
   * @return null if one of them is gone
   */
  static @Nullable SeenPodGroup find(Cluster cluster, AdoptedObject adopted) {
    JsonNode single = cluster.findSame(ObjectRef.of(adopted));
    if (single != null) {
      return new SeenPodGroup(List.of(single));
    }
    List<JsonNode> named = cluster.list(POD, adopted.namespace(), GROUP + "=" + adopted.name());
    return of(named).stream()
        .filter(group -> group.uid().equals(adopted.uid()))
        .findFirst()
        .orElse(null);
  }

  private static String label(JsonNode pod, String key) {
    return pod.path("metadata").path("labels").path(key).asText();
  }

  private static String job(JsonNode pod) {
    return label(pod, AttemptLabels.JOB_ID);
  }

  /** Returns the size of a pod's group, as the pod says; 1 for a single pod. */
  private static int count(JsonNode pod) {
    return label(pod, GROUP).isEmpty()
        ? 1
        : pod.path("metadata").path("annotations").path(COUNT).asInt();
  }

  /** Returns the pod's UID, or a UID derived from all pods of the group. */
  public UUID uid() {
    if (pods.size() == 1) {
      return ObjectRef.of(POD, pods.get(0)).uid();
    }
    String all =
        pods.stream()
            .map(pod -> ObjectRef.of(POD, pod).uid().toString())
            .sorted()
            .collect(Collectors.joining(","));
    return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the group as one observed object; its first pod receives the status. */
  SeenObject seen(Instant now) {
    ObjectRef first = ObjectRef.of(POD, pods.get(0));
    String group = label(pods.get(0), GROUP);
    String versions =
        pods.stream()
            .map(pod -> ObjectRef.of(POD, pod).resourceVersion())
            .collect(Collectors.joining(","));
    ObjectRef all =
        new ObjectRef(
            POD, first.namespace(), group.isEmpty() ? first.name() : group, uid(), versions);
    boolean admitted = pods.stream().anyMatch(pod -> SeenObject.owner(POD, pod) == Owner.ATTEMPT);
    return new SeenObject(all, first, admitted ? Owner.ATTEMPT : Owner.USER, phase(now), digest());
  }

  private String digest() {
    return pods.size() == 1
        ? ObjectDigest.of(pods.get(0))
        : ShapeRows.digest(pods.stream().map(ObjectDigest::of).collect(Collectors.joining(",")));
  }

  private Phase phase(Instant now) {
    List<Phase> phases = pods.stream().map(pod -> SeenObject.phase(POD, pod)).distinct().toList();
    if (phases.contains(Phase.GOING)) {
      return Phase.GOING;
    }
    if (pods.size() < count(pods.get(0)) && isYoung(now)) {
      return Phase.FORMING;
    }
    return phases.size() == 1 ? phases.get(0) : Phase.RELEASED;
  }

  private boolean isYoung(Instant now) {
    return pods.stream()
        .map(pod -> pod.path("metadata").path("creationTimestamp").asText())
        .anyMatch(at -> Instant.parse(at).plus(FORMS_WITHIN).isAfter(now));
  }

  /** Returns the single pod, or the list of the pods. */
  JsonNode whole() {
    if (pods.size() == 1) {
      return pods.get(0);
    }
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.put("apiVersion", "v1").put("kind", "List");
    ArrayNode items = list.putArray("items");
    pods.forEach(items::add);
    return list;
  }
}
