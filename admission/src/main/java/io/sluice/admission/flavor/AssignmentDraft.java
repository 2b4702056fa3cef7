// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.placement.Placement.Places;
import io.sluice.admission.placement.PodsToPlace;
import io.sluice.admission.placement.Unplaced;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Builds one assignment: takes the flavors that {@link FlavorScan} finds, group by group, and
 * finally places the pods.
 */
final class AssignmentDraft {
  private final AdmissionState state;
  private final QuotaLedger ledger;
  private final JobEntry job;
  private final FlavorScope scope;
  private final List<PodSet> all;
  private final int slices;
  private final FlavorScan scan;
  private final PodPlacing placing;
  private final List<FlavorChoice> choices = new ArrayList<>();
  private final SortedMap<Integer, Long> usage = new TreeMap<>();
  private final boolean[] lacking;
  private final List<PodSetAssignment> podSets = new ArrayList<>();
  private final List<Obstacle> obstacles = new ArrayList<>();
  private AssignmentMode mode = AssignmentMode.FIT;
  private int borrowingLevel;
  private @Nullable SlicePool pool;
  private SortedMap<String, List<PodsToPlace>> pods = Collections.emptySortedMap();

  /**
   * Creates an empty draft.
   *
   * @param all pod sets that need flavors
   */
  AssignmentDraft(
      AdmissionState state,
      PreemptionOracle oracle,
      JobEntry job,
      FlavorScope scope,
      List<PodSet> all) {
    this.all = all;
    this.slices = job.workload().shape().slicesOf(all);
    this.state = state;
    this.ledger = state.ledger();
    this.job = job;
    this.scope = scope;
    this.scan = new FlavorScan(state, oracle, job, scope, slices, usage, obstacles);
    this.placing = scan.placing();
    this.lacking = new boolean[ledger.tree().flavorResources().size()];
  }

  /** Takes flavors for all pod sets, group by group, until a group has none. */
  FlavorAssignment assignAll() {
    Map<String, List<PodSet>> groups = new LinkedHashMap<>();
    for (PodSet podSet : all) {
      String group = podSet.group() == null ? "/" + groups.size() : podSet.group();
      groups.computeIfAbsent(group, absent -> new ArrayList<>()).add(podSet);
    }
    for (List<PodSet> group : groups.values()) {
      if (!assign(group)) {
        return finish();
      }
    }
    if (mode == AssignmentMode.FIT && scope.quotaMustBeFree() && !permitted()) {
      mode = AssignmentMode.NO_FIT;
    } else if (scope.slicesMustBeFree()) {
      place();
    }
    return finish();
  }

  /**
   * Returns whether planned starts permit all flavors together: one that the job may delay for each
   * amount alone may bind it for the whole.
   */
  private boolean permitted() {
    Usage whole = Usage.of(job.queue().node(), atLeastNothing(usage));
    if (state.plan().isEmpty() || state.plan().guard().permits(job, whole)) {
      return true;
    }
    for (FlavorChoice choice : choices) {
      PodSetAssignment given = PodSetAssignment.find(podSets, choice.podSet());
      String flavor = given == null ? null : given.flavors().get(choice.resource());
      int number =
          flavor == null ? -1 : ledger.tree().flavorResources().find(flavor, choice.resource());
      if (flavor != null && number >= 0) {
        int node = job.queue().node();
        obstacles.add(
            new Obstacle(
                Obstacle.Kind.PLANNED_STARTS,
                choice.podSet(),
                flavor,
                choice.resource(),
                usage.getOrDefault(number, 0L),
                Math.max(0, ledger.available(node, number)),
                ledger.tree().potentiallyAvailable(node, number)));
      }
    }
    return false;
  }

  private FlavorAssignment finish() {
    RoomNeed need = null;
    if (mode != AssignmentMode.NO_FIT) {
      need =
          new RoomNeed(
              Usage.of(job.queue().node(), atLeastNothing(usage))
                  .placed(state.topologies().placed(podSets)),
              lacking,
              pool,
              slices,
              pods,
              job.id());
    }
    return new FlavorAssignment(
        mode, borrowingLevel, podSets, need, obstacles, null, List.of(), choices);
  }

  /** Amounts below zero are returned only when the predecessor ends, so the need omits them. */
  private static Map<Integer, Long> atLeastNothing(Map<Integer, Long> amounts) {
    SortedMap<Integer, Long> needed = new TreeMap<>(amounts);
    needed.replaceAll((number, amount) -> Math.max(0, amount));
    return needed;
  }

  /**
   * Places the pods. If there are no places now, preemption may help although quota suffices; if
   * there are none in an empty fleet, nothing helps.
   */
  private void place() {
    SortedMap<String, List<PodsToPlace>> wanted = placing.wanted(all, podSets);
    if (wanted == null) {
      mode = AssignmentMode.NO_FIT;
      return;
    }
    pods = wanted;
    Unplaced lacks = null;
    if (mode == AssignmentMode.FIT) {
      Places now = PodPlacing.find(state, pods, ledger.nodes());
      lacks = now.unplaced();
      if (lacks == null) {
        List<PodSetAssignment> placed = now.given(podSets);
        podSets.clear();
        podSets.addAll(placed);
        return;
      }
      lack(lacks.podSet(), AssignmentMode.PREEMPT);
    }
    Unplaced never = PodPlacing.find(state, pods, List.of()).unplaced();
    if (never != null) {
      obstacles.add(Obstacle.of(never, Obstacle.Kind.TOO_FEW_NODES));
      lack(never.podSet(), AssignmentMode.NO_FIT);
      return;
    }
    if (lacks != null) {
      obstacles.add(Obstacle.of(lacks, Obstacle.Kind.NODES_IN_USE));
    }
    // Quota may suffice while the free nodes are fragmented.
    for (List<PodsToPlace> ofFlavor : pods.values()) {
      ofFlavor.forEach(one -> lack(one.podSet().name(), AssignmentMode.PREEMPT));
    }
  }

  /** Lowers a pod set to a mode, and marks all that it was given as lacking. */
  private void lack(String podSet, AssignmentMode its) {
    mode = its;
    for (int at = 0; at < choices.size(); at++) {
      FlavorChoice choice = choices.get(at);
      if (choice.podSet().equals(podSet) && its.compareTo(choice.mode()) < 0) {
        choices.set(at, new FlavorChoice(podSet, choice.resource(), its, choice.lastTried()));
      }
    }
    PodSetAssignment given = PodSetAssignment.find(podSets, podSet);
    if (given != null) {
      given
          .flavors()
          .forEach(
              (resource, flavor) ->
                  lacking[ledger.tree().flavorResources().find(flavor, resource)] = true);
    }
  }

  /**
   * Takes the same flavors for pod sets of a group.
   *
   * @return false if there are none
   */
  private boolean assign(List<PodSet> group) {
    ResourceList requests = ResourceList.NONE;
    for (PodSet podSet : group) {
      requests = requests.plusSaturated(requestsOf(podSet));
    }
    List<FlavorScan.Trial> taken = new ArrayList<>();
    SortedSet<ResourceName> found = new TreeSet<>();
    for (ResourceName resource : requests.amounts().keySet()) {
      ResourceGroup covering = job.queue().groupOf(resource);
      if (found.contains(resource) || (covering == null && requests.get(resource) == 0)) {
        continue;
      }
      FlavorScan.Trial trial =
          covering == null ? null : scan.choose(group, covering, requests, resource);
      if (trial == null) {
        if (covering == null) {
          obstacles.add(
              new Obstacle(
                  Obstacle.Kind.RESOURCE_NOT_COVERED,
                  group.get(0).name(),
                  "",
                  resource,
                  requests.get(resource),
                  0,
                  0));
        }
        mode = AssignmentMode.NO_FIT;
        return false;
      }
      taken.add(trial);
      trial.taken().forEach(one -> found.add(one.resource()));
    }
    for (FlavorScan.Trial trial : taken) {
      take(group, trial, requests);
    }
    group.forEach(podSet -> note(podSet, taken));
    return true;
  }

  /** Returns the total requests of a pod set, including pods if the queue counts them. */
  private ResourceList requestsOf(PodSet podSet) {
    ResourceList requests = podSet.total();
    return job.queue().groupOf(ResourceName.PODS) == null
        ? requests
        : requests.plusSaturated(ResourceList.of(ResourceName.PODS, podSet.count()));
  }

  private void take(List<PodSet> group, FlavorScan.Trial found, ResourceList requests) {
    for (FlavorScan.Taken taken : found.taken()) {
      long needed = scan.needed(group, taken.resource(), requests.get(taken.resource()));
      usage.merge(taken.flavorResource(), needed, Math::addExact);
      borrowingLevel = Math.max(borrowingLevel, taken.preference().level());
      AssignmentMode taking = taken.preference().mode().assignmentMode();
      if (taking == AssignmentMode.PREEMPT) {
        lacking[taken.flavorResource()] = true;
      }
      mode = taking.compareTo(mode) < 0 ? taking : mode;
      WorkloadShape shape = job.workload().shape();
      if (shape.accelerator() != null && taken.resource().equals(ResourceName.TPU)) {
        pool = SlicePool.of(found.flavor(), shape);
      }
    }
  }

  private void note(PodSet podSet, List<FlavorScan.Trial> trials) {
    ResourceList requests = requestsOf(podSet);
    SortedMap<ResourceName, String> flavors = new TreeMap<>();
    SortedMap<ResourceName, Long> counted = new TreeMap<>();
    for (FlavorScan.Trial trial : trials) {
      for (FlavorScan.Taken taken : trial.taken()) {
        boolean asked = requests.amounts().containsKey(taken.resource());
        if (asked || follows(podSet, requests, trial)) {
          flavors.put(taken.resource(), trial.flavor());
        }
        if (asked) {
          counted.put(taken.resource(), requests.get(taken.resource()));
        }
        if (flavors.containsKey(taken.resource())) {
          choices.add(
              new FlavorChoice(
                  podSet.name(),
                  taken.resource(),
                  taken.preference().mode().assignmentMode(),
                  trial.number()));
        }
      }
    }
    podSets.add(
        placing.delayed(
            new PodSetAssignment(podSet.name(), podSet.count(), flavors, new ResourceList(counted)),
            podSet));
  }

  /**
   * Returns whether a pod set without requests covered by the queue follows the others of its
   * group, as a leader that must be near its workers.
   */
  private boolean follows(PodSet podSet, ResourceList requests, FlavorScan.Trial trial) {
    boolean asksForNothing =
        requests.amounts().keySet().stream().allMatch(asked -> job.queue().groupOf(asked) == null);
    return asksForNothing
        && podSet.group() != null
        && placing.places(podSet)
        && state.topologies().of(trial.flavor()) != null;
  }
}
