// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.cycle.isolated.Predecessor;
import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.FlavorChoice;
import io.sluice.admission.flavor.NoFitReason;
import io.sluice.admission.flavor.Possibility;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.PriorHolding;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.placement.PlacedPods;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Answers which flavors a workload gets, with a given result of preemption. */
final class FlavorQuestion implements CaseQuestion {

  @Override
  public ObjectNode answer(ConformanceCase asked) {
    JsonNode action = asked.action();
    String queue = CaseFields.text(action, "clusterQueue", "");
    CaseWorkload workload = new CaseWorkload(action.path("workload"), asked.gates());
    CaseWorld world = new CaseWorld(asked, workload, queue);
    AdmissionState state = world.state();
    TreeReading.add(state.ledger().held(), action.path("usage"), world.faults());
    TreeReading.add(state.ledger().promised(), action.path("usage"), world.faults());
    for (JsonNode placed : action.path("nodeUsage")) {
      PlacedPods pods =
          new PlacedPods(
              CaseFields.text(placed, "flavor", ""), PlacementQuestion.assignment(placed));
      state.ledger().nodes().forEach(nodes -> nodes.count(pods, 1));
    }
    JobEntry job = world.job(workload);
    Predecessor predecessor =
        action.hasNonNull("replacedSlice") && asked.gates().on("ElasticJobsViaWorkloadSlices")
            ? predecessor(action.get("replacedSlice"))
            : null;
    FlavorAssignment assignment =
        new FlavorAssigner(
                state,
                new ToldOracle(state, action.path("preemptionOracle")),
                predecessor == null ? PriorHolding.NONE : predecessor)
            .assign(job);
    ObjectNode answer = CaseFields.object();
    answer.put("mode", word(assignment.mode()));
    answer.put("borrowing", assignment.borrowingLevel());
    if (assignment.mode() == AssignmentMode.NO_FIT) {
      answer.put("noFitReason", NoFitReason.of(job.queue().spec(), assignment).word());
    }
    putUsage(answer.putObject("usage"), assignment, predecessor);
    ArrayNode podSets = answer.putArray("podSets");
    for (PodSet podSet : job.workload().shape().podSets()) {
      putPodSet(podSets.addObject(), job, podSet, assignment);
    }
    ObjectNode reached = answer.putObject("lastTriedFlavorIdx");
    for (FlavorChoice choice : assignment.choices()) {
      reached.put(choice.resource().value(), choice.lastTried());
    }
    answer.put(
        "hasTopologyAssignment",
        assignment.podSets().stream().anyMatch(podSet -> podSet.topology() != null));
    world.faults().write(answer);
    return answer;
  }

  private static String word(AssignmentMode mode) {
    return switch (mode) {
      case NO_FIT -> "NoFit";
      case PREEMPT -> "Preempt";
      case FIT -> "Fit";
    };
  }

  private static Predecessor predecessor(JsonNode replaced) {
    List<PodSetAssignment> held = new ArrayList<>();
    for (JsonNode podSet : replaced.path("podSets")) {
      SortedMap<ResourceName, String> flavors = new TreeMap<>();
      CaseFields.labels(podSet.path("flavors"))
          .entries()
          .forEach((resource, flavor) -> flavors.put(new ResourceName(resource), flavor));
      SortedMap<ResourceName, Long> usage =
          new TreeMap<>(CaseFields.resources(podSet.path("requests")).amounts());
      flavors.keySet().forEach(resource -> usage.putIfAbsent(resource, 0L));
      usage.keySet().retainAll(flavors.keySet());
      held.add(
          new PodSetAssignment(
              CaseFields.text(podSet, "name", ""),
              podSet.path("count").asInt(1),
              flavors,
              new ResourceList(usage)));
    }
    return new Predecessor(held);
  }

  /** What the assignment adds to what the predecessor holds. */
  private static void putUsage(
      ObjectNode usage, FlavorAssignment assignment, @Nullable Predecessor predecessor) {
    SortedMap<String, SortedMap<ResourceName, Long>> byFlavor = new TreeMap<>();
    for (PodSetAssignment podSet : assignment.podSets()) {
      podSet
          .flavors()
          .forEach(
              (resource, flavor) ->
                  byFlavor
                      .computeIfAbsent(flavor, absent -> new TreeMap<>())
                      .merge(
                          resource,
                          podSet.usage().get(resource)
                              - (predecessor == null
                                  ? 0
                                  : predecessor.held(podSet.name(), resource)),
                          Math::addExact));
    }
    byFlavor.forEach(
        (flavor, amounts) -> {
          ObjectNode written = usage.putObject(flavor);
          amounts.forEach((resource, amount) -> CaseFields.put(written, resource, amount));
        });
  }

  private static void putPodSet(
      ObjectNode written, JobEntry job, PodSet podSet, FlavorAssignment assignment) {
    written.put("name", podSet.name());
    written.put("count", podSet.count());
    ResourceList requests = podSet.total();
    if (job.queue().groupOf(ResourceName.PODS) != null) {
      requests = requests.plus(ResourceList.of(ResourceName.PODS, podSet.count()));
    }
    CaseFields.put(written.putObject("requests"), requests);
    ObjectNode flavors = written.putObject("flavors");
    PodSetAssignment given = PodSetAssignment.find(assignment.podSets(), podSet.name());
    if (given == null) {
      return;
    }
    if (given.topology() != null) {
      TopologyReading.put(written.putObject("topologyAssignment"), given.topology());
    }
    for (FlavorChoice choice : assignment.choices()) {
      if (choice.podSet().equals(podSet.name())) {
        flavors
            .putObject(choice.resource().value())
            .put("name", given.flavors().get(choice.resource()))
            .put("mode", word(choice.mode()))
            .put("triedFlavorIdx", choice.lastTried());
      }
    }
  }

  /** Says what the case says that preemption could do. */
  private record ToldOracle(AdmissionState state, JsonNode told) implements PreemptionOracle {
    @Override
    public Answer ask(JobEntry job, RoomNeed need, boolean consentingOnly) {
      FlavorResources.Pair pair =
          state.ledger().tree().flavorResources().pair(need.usage().flavorResource(0));
      JsonNode saying = told.path("default");
      for (JsonNode override : told.path("overrides")) {
        if (CaseFields.text(override, "flavor", "").equals(pair.flavor())
            && CaseFields.text(override, "resource", "").equals(pair.resource().value())) {
          saying = override;
        }
      }
      return new Answer(
          consentingOnly
              ? Possibility.NO_CANDIDATES
              : possibility(CaseFields.text(saying, "possibility", "")),
          saying.path("borrowing").asInt());
    }

    @Override
    public boolean couldMake(JobEntry job, RoomNeed need) {
      return false;
    }

    private static Possibility possibility(String word) {
      return switch (word) {
        case "NoCandidates" -> Possibility.NO_CANDIDATES;
        case "Preempt" -> Possibility.PREEMPT;
        case "Reclaim" -> Possibility.RECLAIM;
        default -> throw new UnanswerableCaseException("unknown possibility \"" + word + "\"");
      };
    }
  }
}
