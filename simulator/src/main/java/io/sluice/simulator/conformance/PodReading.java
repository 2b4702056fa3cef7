// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads pod sets. */
final class PodReading {
  private PodReading() {}

  static PodSet podSet(JsonNode podSet, int count) {
    JsonNode pod = podSet.path("template").path("spec");
    return new PodSet(
        CaseFields.text(podSet, "name", ""),
        count,
        requests(pod),
        CaseFields.labels(pod.path("nodeSelector")),
        ObjectReading.tolerations(pod.path("tolerations")),
        TopologyReading.affinity(pod.path("affinity").path("nodeAffinity")),
        podSet.hasNonNull("minCount") ? podSet.get("minCount").asInt() : null,
        CaseFields.text(podSet.path("topologyRequest"), "podSetGroupName"),
        TopologyReading.request(podSet.path("topologyRequest")),
        null);
  }

  /**
   * What one pod takes, as Kubernetes counts it: its containers together, or its largest init
   * container if that takes more; init containers that keep running count with the others.
   */
  static ResourceList requests(JsonNode pod) {
    ResourceList running = ResourceList.NONE;
    for (JsonNode container : pod.path("containers")) {
      running = running.plus(requestsOf(container));
    }
    ResourceList started = ResourceList.NONE;
    ResourceList largest = ResourceList.NONE;
    for (JsonNode container : pod.path("initContainers")) {
      ResourceList own = requestsOf(container);
      if (CaseFields.text(container, "restartPolicy", "").equals("Always")) {
        started = started.plus(own);
        running = running.plus(own);
        largest = most(largest, started);
      } else {
        largest = most(largest, started.plus(own));
      }
    }
    return most(running, largest).plus(CaseFields.resources(pod.path("overhead")));
  }

  private static ResourceList requestsOf(JsonNode container) {
    return CaseFields.resources(container.path("resources").path("requests"));
  }

  private static ResourceList most(ResourceList one, ResourceList other) {
    SortedMap<ResourceName, Long> most = new TreeMap<>(one.amounts());
    other.amounts().forEach((resource, amount) -> most.merge(resource, amount, Math::max));
    return new ResourceList(most);
  }
}
