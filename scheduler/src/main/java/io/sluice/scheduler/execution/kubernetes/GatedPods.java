// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.manifests.foreign.PathwaysExpansion;
import io.sluice.manifests.rendering.AdmittedDomain;
import io.sluice.manifests.rendering.AdmittedPodSet;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Assigns a node selector to each gated pod of an attempt and then ungates it. This serves pod sets
 * whose template cannot carry one selector: those placed in several domains or on several slices,
 * and those of an adopted JobSet, which keeps its affinity.
 */
final class GatedPods {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ClusterWork work;
  private final Launch launch;

  /** Domains of ungated pods by UID: the watch may still show these pods as they were before. */
  private final Map<String, AdmittedDomain> told = new HashMap<>();

  GatedPods(ClusterWork work, Launch launch) {
    this.work = work;
    this.launch = launch;
  }

  /** Ungates the gated pods in the watch's cache; a later pod triggers another call. */
  void release() {
    List<Pod> gated = work.watch().gated(launch.attempt(), launch.generation());
    if (gated.isEmpty()) {
      return;
    }
    Set<String> living = new HashSet<>();
    work.watch()
        .living(launch.attempt(), launch.generation())
        .forEach(pod -> living.add(pod.getMetadata().getUid()));
    told.keySet().retainAll(living);
    TreeMap<String, List<Pod>> waiting = new TreeMap<>();
    for (Pod pod : gated) {
      String podSet = pod.getMetadata().getLabels().get(AttemptLabels.POD_SET);
      if (podSet != null && !told.containsKey(pod.getMetadata().getUid())) {
        waiting.computeIfAbsent(podSet, absent -> new ArrayList<>()).add(pod);
      }
    }
    waiting.forEach(this::release);
  }

  private void release(String podSet, List<Pod> waiting) {
    AdmittedPodSet whole = work.rendering().admittedAttempt(launch).podSet(podSet);
    AdmittedPodSet admitted = isExclusive(waiting.get(0)) ? whole : whole.apart();
    if (!admitted.isSpread()) {
      waiting.forEach(pod -> release(pod, admitted));
      return;
    }
    Map<String, AdmittedDomain> chosen = new PodDomains(admitted, there(podSet)).choose(waiting);
    for (Pod pod : waiting) {
      AdmittedDomain domain = chosen.get(pod.getMetadata().getUid());
      if (domain != null && release(pod, admitted.in(domain))) {
        told.put(pod.getMetadata().getUid(), domain);
      }
    }
  }

  /** Whether the JobSet requires exclusive placement of each of its Jobs. */
  private static boolean isExclusive(Pod pod) {
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return annotations != null && annotations.containsKey(PathwaysExpansion.EXCLUSIVE);
  }

  /** Returns the pods that hold a place: ungated, not ended and not being deleted. */
  private List<Pod> there(String podSet) {
    List<Pod> there = new ArrayList<>();
    for (Pod pod : work.watch().living(launch.attempt(), launch.generation())) {
      if (podSet.equals(pod.getMetadata().getLabels().get(AttemptLabels.POD_SET))) {
        AdmittedDomain domain = told.get(pod.getMetadata().getUid());
        there.add(domain == null ? pod : selecting(pod, domain));
      }
    }
    return there;
  }

  private static Pod selecting(Pod pod, AdmittedDomain domain) {
    return pod.edit().editSpec().addToNodeSelector(domain.nodeLabels().entries()).endSpec().build();
  }

  private boolean release(Pod pod, AdmittedPodSet admitted) {
    ObjectNode seen = JSON.valueToTree(pod);
    try {
      JsonNode unused =
          work.cluster()
              .change(ObjectRef.of(ClusterKind.POD, seen), AdoptedEdits.ungate(seen, admitted));
      return true;
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.CONFLICT && failure.reason() != Reason.GONE) {
        throw failure;
      }
      // The pod has changed or is gone; the watch shows which in a moment.
      return false;
    }
  }
}
