// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.placement.NodeUsage;
import io.sluice.admission.placement.PlacedPods;
import io.sluice.admission.placement.Placement;
import io.sluice.admission.placement.Placement.Places;
import io.sluice.admission.placement.PlacementRules;
import io.sluice.admission.placement.PodsToPlace;
import io.sluice.admission.placement.Topologies;
import io.sluice.admission.placement.Unplaced;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyAssignment.Domain;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Answers where the pods of a workload are placed in one flavor's topology. */
final class PlacementQuestion implements CaseQuestion {
  private static final String FLAVOR = "asked";
  private static final String OTHER_FLAVOR = "other";
  private static final String TOPOLOGY = "topology";

  @Override
  public ObjectNode answer(ConformanceCase asked) {
    JsonNode action = asked.action();
    Topologies topologies = topologies(asked);
    PlacementRules rules = asked.gates().placement();
    NodeUsage usage = new NodeUsage(topologies, rules.sharesHosts());
    count(usage, FLAVOR, action.path("priorUsageThisFlavor"));
    count(usage, OTHER_FLAVOR, action.path("priorUsageOtherFlavor"));
    count(usage, OTHER_FLAVOR, action.path("aggregatedDomainUsage"));
    CaseWorkload workload =
        action.hasNonNull("workload")
            ? new CaseWorkload(action.get("workload"), asked.gates())
            : null;
    SortedSet<String> lost = workload == null ? Collections.emptySortedSet() : workload.lostHosts();
    List<PodsToPlace> pods = new ArrayList<>();
    for (JsonNode podSet : action.path("podSets")) {
      PodSet read = podSet(podSet);
      JsonNode previous =
          lost.isEmpty() || workload == null
              ? podSet.path("previousAssignment")
              : workload.admission(read.name()).path("topologyAssignment");
      pods.add(
          new PodsToPlace(
              read,
              podSet.path("implied").asBoolean() || !podSet.hasNonNull("topologyRequest"),
              workload != null && workload.cannotMove(),
              TopologyReading.assignment(previous, read.requestsOnHost())));
    }
    JsonNode tolerations = action.path("flavor").path("tolerations");
    Places places =
        new Placement(topologies, rules, flavor -> ObjectReading.tolerations(tolerations))
            .find(new TreeMap<>(Collections.singletonMap(FLAVOR, pods)), List.of(usage), lost);
    return written(pods, places);
  }

  private static Topologies topologies(ConformanceCase asked) {
    JsonNode action = asked.action();
    Labels nodeLabels = CaseFields.labels(action.path("flavor").path("nodeLabels"));
    List<ResourceFlavor> flavors = new ArrayList<>();
    for (String name : List.of(FLAVOR, OTHER_FLAVOR)) {
      flavors.add(
          new ResourceFlavor(
              ObjectMeta.named("", name), nodeLabels, List.of(), List.of(), TOPOLOGY));
    }
    List<String> levels = CaseFields.texts(action.path("topology").path("levels"));
    return new Topologies(
        flavors,
        List.of(new Topology(ObjectMeta.named("", TOPOLOGY), levels)),
        TopologyReading.hosts(asked.objects()));
  }

  private static void count(NodeUsage usage, String flavor, JsonNode prior) {
    for (JsonNode one : prior) {
      usage.count(new PlacedPods(flavor, assignment(one)), 1);
    }
  }

  /** Pods that are in one domain. */
  static TopologyAssignment assignment(JsonNode placed) {
    return new TopologyAssignment(
        List.of(),
        List.of(new Domain(CaseFields.texts(placed.path("values")), placed.path("count").asInt())),
        CaseFields.resources(placed.path("requestsPerPod")));
  }

  private static PodSet podSet(JsonNode podSet) {
    ResourceList requests = CaseFields.resources(podSet.path("requests"));
    return new PodSet(
        CaseFields.text(podSet, "name", ""),
        podSet.path("count").asInt(),
        requests,
        CaseFields.labels(podSet.path("nodeSelector")),
        ObjectReading.tolerations(podSet.path("tolerations")),
        TopologyReading.affinity(podSet.path("nodeAffinity")),
        null,
        CaseFields.text(podSet, "podSetGroupName"),
        TopologyReading.request(podSet.path("topologyRequest")),
        requests);
  }

  private static ObjectNode written(List<PodsToPlace> pods, Places places) {
    ObjectNode answer = CaseFields.object();
    ArrayNode podSets = answer.putArray("podSets");
    SortedMap<String, TopologyAssignment> found = places.byPodSet();
    Unplaced unplaced = places.unplaced();
    String group = null;
    for (PodsToPlace one : pods) {
      if (unplaced != null && one.podSet().name().equals(unplaced.podSet())) {
        group = one.podSet().group();
      }
    }
    for (PodsToPlace one : pods) {
      TopologyAssignment where = found.get(one.podSet().name());
      boolean failed =
          unplaced != null
              && (one.podSet().name().equals(unplaced.podSet())
                  || (group != null && group.equals(one.podSet().group())));
      if (where != null || failed) {
        ObjectNode written = podSets.addObject().put("name", one.podSet().name());
        if (where == null) {
          written.putNull("topologyAssignment");
          written.put("reason", String.valueOf(unplaced));
        } else {
          TopologyReading.put(written.putObject("topologyAssignment"), where);
        }
      }
    }
    return answer;
  }
}
