// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.kubernetes.AdoptedStart.Placed;
import io.sluice.scheduler.execution.kubernetes.adoption.SeenPodGroup;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.LabelledAttempt;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectDigest;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.cluster.ClusterObject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Writes the admitted assignment into the pods of an adopted group; all of them stay gated. If a
 * pod is gone, edited or ungated by another client, the start waits until adoption sees that and
 * cancels the job.
 */
final class AdoptedPodsStart {
  private final ClusterWork work;
  private final Launch launch;
  private final AdoptedObject adopted;

  AdoptedPodsStart(ClusterWork work, Launch launch, AdoptedObject adopted) {
    this.work = work;
    this.launch = launch;
    this.adopted = adopted;
  }

  /**
   * Places the pods as far as is possible now.
   *
   * @throws ClusterException if the cluster refuses the edit, now or for good
   */
  Placed place() {
    List<ObjectNode> originals = work.rendering().adopted(launch).originals();
    List<JsonNode> pods = find(originals);
    if (pods.isEmpty() || !new SeenPodGroup(pods).uid().equals(adopted.uid())) {
      return Placed.NOT_YET;
    }
    if (pods.stream().allMatch(this::isOwn)) {
      return new Placed(pods, false);
    }
    for (int number = 0; number < pods.size(); number++) {
      if (!isOwn(pods.get(number)) && !isAsWritten(pods.get(number), originals.get(number))) {
        return Placed.NOT_YET;
      }
    }
    // A server that was overtaken must not write past this point.
    return commit(pods) ? write(pods) : Placed.OVERTAKEN;
  }

  /** Returns all pods in the order of their submission; none if one is gone or is being deleted. */
  private List<JsonNode> find(List<ObjectNode> originals) {
    List<JsonNode> pods = new ArrayList<>();
    for (ObjectNode original : originals) {
      String name = original.path("metadata").path("name").asText();
      JsonNode pod =
          work.cluster()
              .find(new ObjectRef(ClusterKind.POD, adopted.namespace(), name, new UUID(0, 0), ""));
      if (pod == null || pod.path("metadata").has("deletionTimestamp")) {
        return List.of();
      }
      pods.add(pod);
    }
    return pods;
  }

  private boolean isOwn(JsonNode pod) {
    return LabelledAttempt.isOf(pod, launch);
  }

  private static boolean isAsWritten(JsonNode pod, ObjectNode original) {
    return LabelledAttempt.of(pod) == null
        && AttemptLabels.isGated(pod)
        && ObjectDigest.of(pod).equals(ObjectDigest.of(original));
  }

  private boolean commit(List<JsonNode> pods) {
    List<ClusterObject> rows = new ArrayList<>();
    for (JsonNode pod : pods) {
      rows.add(
          ObjectRef.of(ClusterKind.POD, pod)
              .written(work.cluster().name(), launch.attempt(), launch.generation(), true));
    }
    return work.rows().commit(rows, work.lead().epoch());
  }

  private Placed write(List<JsonNode> pods) {
    List<JsonNode> written = new ArrayList<>();
    try {
      for (int number = 0; number < pods.size(); number++) {
        ObjectNode pod = (ObjectNode) pods.get(number);
        written.add(
            isOwn(pod)
                ? pod
                : work.cluster()
                    .replace(ClusterKind.POD, work.rendering().admittedPod(launch, pod, number)));
      }
      return new Placed(written, false);
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.CONFLICT || failure.reason() == Reason.GONE) {
        return Placed.NOT_YET;
      }
      throw failure;
    }
  }
}
