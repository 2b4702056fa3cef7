// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.policy.LabelSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;

/**
 * Decides whether a workload of a case may be admitted at all. Kueue looks at this in the cycle, so
 * one that may not is a head like others; our server refuses such jobs when they are submitted.
 */
final class Admissibility {
  private static final List<String> FAILED = List.of("Retry", "Rejected");

  private final SortedMap<String, Labels> namespaces = new TreeMap<>();
  private final SortedMap<String, List<JsonNode>> limits = new TreeMap<>();

  Admissibility(JsonNode objects) {
    for (JsonNode namespace : objects.path("namespaces")) {
      ObjectMeta meta = CaseFields.meta(namespace);
      namespaces.put(meta.name(), meta.labels());
    }
    for (JsonNode range : objects.path("limitRanges")) {
      for (JsonNode limit : range.path("spec").path("limits")) {
        String key = key(CaseFields.meta(range).namespace(), CaseFields.text(limit, "type", ""));
        limits.computeIfAbsent(key, absent -> new ArrayList<>()).add(limit);
      }
    }
  }

  private static String key(String namespace, String type) {
    return namespace + "/" + type;
  }

  /** Whether the workload may be admitted by a queue that selects namespaces so. */
  boolean admits(CaseWorkload workload, LabelSelector selector) {
    Labels labels = namespaces.get(workload.namespace());
    // Some kinds of cases name no namespaces: there everybody is let in.
    boolean selected = namespaces.isEmpty() || (labels != null && selector.matches(labels));
    boolean checked = true;
    for (JsonNode check : workload.object().path("status").path("admissionChecks")) {
      checked &= !FAILED.contains(CaseFields.text(check, "state", ""));
    }
    boolean bounded = true;
    for (JsonNode podSet : workload.object().path("spec").path("podSets")) {
      bounded &= withinLimits(podSet.path("template").path("spec"), workload.namespace());
    }
    return selected && checked && bounded;
  }

  private boolean withinLimits(JsonNode pod, String namespace) {
    boolean within = true;
    List<JsonNode> containers = new ArrayList<>();
    pod.path("initContainers").forEach(containers::add);
    pod.path("containers").forEach(containers::add);
    for (JsonNode container : containers) {
      ResourceList requests = CaseFields.resources(container.path("resources").path("requests"));
      ResourceList most = CaseFields.resources(container.path("resources").path("limits"));
      within &= isWithin(requests, most);
      for (JsonNode limit : limits.getOrDefault(key(namespace, "Container"), List.of())) {
        within &= isWithin(merged(requests, most, Math::max), bound(limit, "max"));
        within &= isWithin(bound(limit, "min"), merged(requests, most, Math::min));
      }
    }
    ResourceList total = PodReading.requests(pod);
    for (JsonNode limit : limits.getOrDefault(key(namespace, "Pod"), List.of())) {
      within &= isWithin(total, bound(limit, "max")) && isWithin(bound(limit, "min"), total);
    }
    return within;
  }

  private static ResourceList bound(JsonNode limit, String field) {
    return CaseFields.resources(limit.path(field));
  }

  private static ResourceList merged(
      ResourceList one, ResourceList other, LongBinaryOperator choice) {
    SortedMap<ResourceName, Long> merged = new TreeMap<>(one.amounts());
    other
        .amounts()
        .forEach((resource, amount) -> merged.merge(resource, amount, choice::applyAsLong));
    return new ResourceList(merged);
  }

  /** Whether no amount is more than the other's, of resources that both have. */
  private static boolean isWithin(ResourceList amounts, ResourceList bounds) {
    for (Map.Entry<ResourceName, Long> entry : amounts.amounts().entrySet()) {
      Long bound = bounds.amounts().get(entry.getKey());
      if (bound != null && entry.getValue() > bound) {
        return false;
      }
    }
    return true;
  }
}
