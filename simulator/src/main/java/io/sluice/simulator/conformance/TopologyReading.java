// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyAssignment.Domain;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.NodeAffinity.Preference;
import io.sluice.queuemodel.job.TopologyRequest;
import io.sluice.queuemodel.job.TopologyRequest.Layer;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads nodes, topology requests and topology assignments of a case. */
final class TopologyReading {
  private static final List<String> ENDED = List.of("Succeeded", "Failed");
  private static final List<String> PLACED_BY_TOPOLOGY =
      List.of(
          "kueue.x-k8s.io/podset-preferred-topology",
          "kueue.x-k8s.io/podset-required-topology",
          "kueue.x-k8s.io/podset-slice-required-topology",
          "kueue.x-k8s.io/podset-slice-required-topology-constraints",
          "kueue.x-k8s.io/podset-unconstrained-topology");

  private TopologyReading() {}

  static Topology topology(JsonNode object) {
    List<String> levels = new ArrayList<>();
    for (JsonNode level : object.path("spec").path("levels")) {
      levels.add(CaseFields.text(level, "nodeLabel", ""));
    }
    return new Topology(CaseFields.meta(object), levels);
  }

  /** The nodes that are ready and may be given pods, without what pods of others take of them. */
  static List<Host> hosts(JsonNode objects) {
    SortedMap<String, ResourceList> taken = new TreeMap<>();
    for (JsonNode pod : objects.path("pods")) {
      JsonNode spec = pod.path("spec");
      if (spec.hasNonNull("nodeName")
          && !ENDED.contains(CaseFields.text(pod.path("status"), "phase", ""))
          && PLACED_BY_TOPOLOGY.stream().noneMatch(pod.path("metadata").path("annotations")::has)) {
        taken.merge(
            spec.get("nodeName").asText(),
            PodReading.requests(spec).plus(ResourceList.of(ResourceName.PODS, 1)),
            ResourceList::plus);
      }
    }
    List<Host> hosts = new ArrayList<>();
    for (JsonNode node : objects.path("nodes")) {
      if (isReady(node)) {
        String name = CaseFields.meta(node).name();
        hosts.add(
            new Host(
                name,
                CaseFields.meta(node).labels(),
                less(
                    CaseFields.resources(node.path("status").path("allocatable")),
                    taken.getOrDefault(name, ResourceList.NONE)),
                ObjectReading.taints(node.path("spec").path("taints"))));
      }
    }
    return hosts;
  }

  private static boolean isReady(JsonNode node) {
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (CaseFields.text(condition, "type", "").equals("Ready")) {
        return CaseFields.text(condition, "status", "").equals("True")
            && !node.path("spec").path("unschedulable").asBoolean();
      }
    }
    return false;
  }

  /** What is left; of what more is taken than there is, nothing. */
  private static ResourceList less(ResourceList all, ResourceList taken) {
    SortedMap<ResourceName, Long> left = new TreeMap<>(all.amounts());
    left.putIfAbsent(ResourceName.PODS, 0L);
    left.replaceAll((resource, amount) -> Math.max(0, amount - taken.get(resource)));
    return new ResourceList(left);
  }

  /** How close together pods must be; null if that is not said. */
  static @Nullable TopologyRequest request(JsonNode request) {
    boolean said = false;
    for (String field :
        List.of(
            "required",
            "preferred",
            "unconstrained",
            "podSetSliceRequiredTopology",
            "podSetSliceSize",
            "podsetSliceRequiredTopologyConstraints")) {
      said |= request.hasNonNull(field);
    }
    return said
        ? new TopologyRequest(
            CaseFields.text(request, "required"),
            CaseFields.text(request, "preferred"),
            request.path("unconstrained").asBoolean(),
            layers(request))
        : null;
  }

  private static List<Layer> layers(JsonNode request) {
    List<Layer> layers = new ArrayList<>();
    for (JsonNode layer : request.path("podsetSliceRequiredTopologyConstraints")) {
      layers.add(new Layer(CaseFields.text(layer, "topology", ""), layer.path("size").asInt()));
    }
    String single = CaseFields.text(request, "podSetSliceRequiredTopology");
    if (layers.isEmpty() && single != null) {
      layers.add(new Layer(single, request.path("podSetSliceSize").asInt()));
    }
    return layers;
  }

  static NodeAffinity affinity(JsonNode affinity) {
    List<List<Requirement>> terms = new ArrayList<>();
    JsonNode required = affinity.path("requiredDuringSchedulingIgnoredDuringExecution");
    for (JsonNode term : required.path("nodeSelectorTerms")) {
      terms.add(ObjectReading.requirements(term.path("matchExpressions")));
    }
    List<Preference> preferences = new ArrayList<>();
    for (JsonNode preference : affinity.path("preferredDuringSchedulingIgnoredDuringExecution")) {
      preferences.add(
          new Preference(
              preference.path("weight").asInt(),
              ObjectReading.requirements(preference.path("preference").path("matchExpressions"))));
    }
    return new NodeAffinity(terms, preferences);
  }

  /**
   * Where pods are, plainly or as the API compresses it; null if nothing is written.
   *
   * @param perPod what one pod takes of its node
   */
  static @Nullable TopologyAssignment assignment(JsonNode written, ResourceList perPod) {
    if (!written.isObject()) {
      return null;
    }
    List<Domain> domains = new ArrayList<>();
    for (JsonNode domain : written.path("domains")) {
      domains.add(
          new Domain(CaseFields.texts(domain.path("values")), domain.path("count").asInt()));
    }
    for (JsonNode slice : written.path("slices")) {
      for (int at = 0; at < slice.path("domainCount").asInt(); at++) {
        List<String> values = new ArrayList<>();
        for (JsonNode level : slice.path("valuesPerLevel")) {
          values.add(value(level, at));
        }
        JsonNode counts = slice.path("podCounts");
        int count =
            counts.hasNonNull("universal")
                ? counts.get("universal").asInt()
                : counts.path("individual").path(at).asInt();
        domains.add(new Domain(values, count));
      }
    }
    return new TopologyAssignment(CaseFields.texts(written.path("levels")), domains, perPod);
  }

  private static String value(JsonNode level, int at) {
    JsonNode each = level.path("individual");
    return level.hasNonNull("universal")
        ? level.get("universal").asText()
        : CaseFields.text(each, "prefix", "")
            + each.path("roots").path(at).asText()
            + CaseFields.text(each, "suffix", "");
  }

  static void put(ObjectNode written, TopologyAssignment assignment) {
    ArrayNode levels = written.putArray("levels");
    assignment.levels().forEach(levels::add);
    ArrayNode domains = written.putArray("domains");
    for (Domain domain : assignment.domains()) {
      ObjectNode one = domains.addObject();
      ArrayNode values = one.putArray("values");
      domain.values().forEach(values::add);
      one.put("count", domain.count());
    }
  }
}
