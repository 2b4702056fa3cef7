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
import io.sluice.computeclasses.RungChoice;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.Rung;
import io.sluice.queuemodel.quota.policy.FlavorFungibility;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One assignment in the making. */
final class AssignmentDraft {

  /**
   * What taking a flavor for one group of resources would mean.
   *
   * @param number of the flavor in the group
   */
  private record FlavorTrial(
      String flavor, int number, FlavorPreference preference, List<Taken> taken) {}

  /** One resource of it. */
  private record Taken(ResourceName resource, int flavorResource, FlavorPreference preference) {}

  private final AdmissionState state;
  private final QuotaLedger ledger;
  private final PreemptionOracle oracle;
  private final JobEntry job;
  private final int node;
  private final FlavorFungibility fungibility;
  private final @Nullable Rung rung;
  private final boolean slicesMustBeFree;
  private final ScanPositions positions;
  private final List<PodSetAssignment> kept;
  private final List<FlavorChoice> choices = new ArrayList<>();
  private final SortedMap<Integer, Long> usage = new TreeMap<>();
  private final boolean[] lacking;
  private final List<PodSetAssignment> podSets = new ArrayList<>();
  private final List<Obstacle> obstacles = new ArrayList<>();
  private AssignmentMode mode = AssignmentMode.FIT;
  private int borrowingLevel;
  private @Nullable SlicePool pool;
  private int slices;
  private final PodPlacing placing;
  private SortedMap<String, List<PodsToPlace>> pods = Collections.emptySortedMap();
  private @Nullable Predecessor predecessor;

  /**
   * A draft without anything yet.
   *
   * @param rung null: flavors of every rung
   * @param slicesMustBeFree false: slices need only be in the fleet
   * @param positions where the search through each group's flavors begins
   * @param kept what was found before, of which only the places are looked for anew; none: all is
   */
  AssignmentDraft(
      AdmissionState state,
      PreemptionOracle oracle,
      JobEntry job,
      @Nullable Rung rung,
      boolean slicesMustBeFree,
      ScanPositions positions,
      List<PodSetAssignment> kept) {
    this.kept = kept;
    this.rung = rung;
    this.positions = positions;
    this.slicesMustBeFree = slicesMustBeFree;
    this.state = state;
    this.ledger = state.ledger();
    this.oracle = oracle;
    this.job = job;
    this.node = job.queue().node();
    this.fungibility = job.queue().spec().policies().flavorFungibility();
    this.placing = new PodPlacing(state, job);
    this.lacking = new boolean[ledger.tree().flavorResources().size()];
  }

  /** From now on only what the predecessor holds is taken, and what is asked for beyond it. */
  AssignmentDraft succeeding(@Nullable Predecessor before) {
    predecessor = before;
    return this;
  }

  /** What pod sets need of a resource; less than nothing if their predecessor holds more. */
  private long needed(List<PodSet> group, ResourceName resource, long requested) {
    return predecessor == null || requested == Long.MAX_VALUE
        ? requested
        : requested - predecessor.held(group, resource);
  }

  FlavorAssignment finish() {
    RoomNeed need = null;
    if (mode != AssignmentMode.NO_FIT) {
      need =
          new RoomNeed(
              Usage.of(node, atLeastNothing(usage)).placed(state.topologies().placed(podSets)),
              lacking,
              pool,
              slices,
              pods,
              job.id());
    }
    return new FlavorAssignment(
        mode, borrowingLevel, podSets, need, obstacles, null, List.of(), choices);
  }

  /** What is given back is given back when the predecessor ends, and not needed before. */
  private static Map<Integer, Long> atLeastNothing(Map<Integer, Long> amounts) {
    SortedMap<Integer, Long> needed = new TreeMap<>(amounts);
    needed.replaceAll((number, amount) -> Math.max(0, amount));
    return needed;
  }

  /** Takes flavors for all pod sets, group by group, until there are none for one. */
  FlavorAssignment assignAll(List<PodSet> all) {
    slices = job.workload().shape().slicesOf(all);
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
    if (slicesMustBeFree) {
      place(all);
    }
    return finish();
  }

  /**
   * Finds places for the pods. Where there are none now, others may have to go, though there is
   * quota enough; where there would be none if nobody else had any, nothing helps.
   */
  private void place(List<PodSet> all) {
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
    // There may be quota enough, of nodes that are in pieces.
    for (List<PodsToPlace> ofFlavor : pods.values()) {
      ofFlavor.forEach(one -> lack(one.podSet().name(), AssignmentMode.PREEMPT));
    }
  }

  /** All that a pod set was given is lacking, or does not fit. */
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
   * Takes the same flavors for pod sets that belong together.
   *
   * @return false if there are none
   */
  private boolean assign(List<PodSet> group) {
    ResourceList requests = ResourceList.NONE;
    for (PodSet podSet : group) {
      requests = requests.plusSaturated(requestsOf(podSet));
    }
    List<FlavorTrial> taken = new ArrayList<>();
    SortedSet<ResourceName> found = new TreeSet<>();
    for (ResourceName resource : requests.amounts().keySet()) {
      ResourceGroup covering = job.queue().groupOf(resource);
      if (found.contains(resource) || (covering == null && requests.get(resource) == 0)) {
        continue;
      }
      FlavorTrial trial = covering == null ? null : choose(group, covering, requests, resource);
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
    for (FlavorTrial trial : taken) {
      take(group, trial, requests);
    }
    group.forEach(podSet -> note(podSet, taken));
    return true;
  }

  /** What a pod set asks for in all; its pods themselves where the queue counts them. */
  private ResourceList requestsOf(PodSet podSet) {
    ResourceList requests = podSet.total();
    return job.queue().groupOf(ResourceName.PODS) == null
        ? requests
        : requests.plusSaturated(ResourceList.of(ResourceName.PODS, podSet.count()));
  }

  private void take(List<PodSet> group, FlavorTrial found, ResourceList requests) {
    for (Taken taken : found.taken()) {
      long needed = needed(group, taken.resource(), requests.get(taken.resource()));
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

  private void note(PodSet podSet, List<FlavorTrial> trials) {
    ResourceList requests = requestsOf(podSet);
    SortedMap<ResourceName, String> flavors = new TreeMap<>();
    SortedMap<ResourceName, Long> counted = new TreeMap<>();
    for (FlavorTrial trial : trials) {
      for (Taken taken : trial.taken()) {
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
   * Whether a pod set that asks for nothing that the queue has goes where the others of its group
   * go: a leader that is to be with its workers.
   */
  private boolean follows(PodSet podSet, ResourceList requests, FlavorTrial trial) {
    boolean asksForNothing =
        requests.amounts().keySet().stream().allMatch(asked -> job.queue().groupOf(asked) == null);
    return asksForNothing
        && podSet.group() != null
        && placing.places(podSet)
        && state.topologies().of(trial.flavor()) != null;
  }

  /** The flavor to take of a group of resources; null if none will do. */
  private @Nullable FlavorTrial choose(
      List<PodSet> podSets, ResourceGroup group, ResourceList requests, ResourceName first) {
    AlternativeWalk walk = new AlternativeWalk(podSets, job.workload().shape(), group);
    if (walk.isEmpty()) {
      int from = positions.next(podSets.get(0).name(), first);
      return scan(podSets, group, requests, from, flavor -> true);
    }
    refuseNeverPermitted(podSets, group, walk);
    FlavorTrial found =
        walk.first(
            number -> scan(podSets, group, requests, 0, flavor -> walk.permits(number, flavor)),
            trial -> !trial.preference().worthLookingFurther(fungibility));
    return found == null ? null : scanned(found, 0, 0);
  }

  private void refuseNeverPermitted(
      List<PodSet> podSets, ResourceGroup group, AlternativeWalk walk) {
    for (FlavorQuotas quotas : group.flavors()) {
      ResourceFlavor flavor = state.objects().flavor(quotas.flavor());
      if (flavor != null && isOfRung(group, flavor) && !walk.permitsEver(flavor)) {
        obstacles.add(Obstacle.of(Obstacle.Kind.NODE_SELECTOR, podSets.get(0), quotas.flavor()));
      }
    }
  }

  /** The flavor to take of those that are permitted; null if none will do. */
  private @Nullable FlavorTrial scan(
      List<PodSet> podSets,
      ResourceGroup group,
      ResourceList requests,
      int from,
      Predicate<ResourceFlavor> permitted) {
    FlavorTrial best = null;
    FlavorPreference bestPreference = FlavorPreference.WORST;
    int last = group.flavors().size() - 1;
    for (int number = from; number <= last; number++) {
      ResourceFlavor flavor = state.objects().flavor(group.flavors().get(number).flavor());
      FlavorTrial trial =
          flavor == null || !permitted.test(flavor)
              ? null
              : tryFlavor(podSets, group, number, flavor, requests);
      if (trial == null) {
        continue;
      }
      if (!trial.preference().worthLookingFurther(fungibility)) {
        return scanned(trial, number, last);
      }
      if (trial.preference().betterThan(bestPreference, fungibility)) {
        best = trial;
        bestPreference = trial.preference();
      }
    }
    return best == null ? null : scanned(best, last, last);
  }

  /** The trial with the number of the flavor that was looked at last, or that all were. */
  private static FlavorTrial scanned(FlavorTrial trial, int number, int last) {
    return new FlavorTrial(
        trial.flavor(),
        number == last ? FlavorChoice.ALL_TRIED : number,
        trial.preference(),
        trial.taken());
  }

  private @Nullable FlavorTrial tryFlavor(
      List<PodSet> podSets,
      ResourceGroup group,
      int index,
      ResourceFlavor flavor,
      ResourceList requests) {
    String flavorName = flavor.meta().name();
    if (!isOfRung(group, flavor)
        || !job.workload().shape().allows(flavorName)
        || !mayBe(podSets, flavorName)
        || !podSets.stream().allMatch(podSet -> suits(podSet, flavor, group))) {
      return null;
    }
    FlavorPreference worst = FlavorPreference.BEST;
    List<Taken> taken = new ArrayList<>();
    for (ResourceName resource : group.coveredResources()) {
      if (!requests.amounts().containsKey(resource)) {
        continue;
      }
      if (predecessor != null && !predecessor.holdsFrom(podSets, resource, flavorName)) {
        return null;
      }
      int number = ledger.tree().flavorResources().find(flavorName, resource);
      long needed = needed(podSets, resource, requests.get(resource));
      FlavorPreference preference =
          tryResource(podSets.get(0), flavorName, resource, number, needed);
      if (worst.betterThan(preference, fungibility)) {
        worst = preference;
      }
      if (preference.mode() == FlavorPreference.Level.NO_FIT) {
        return null;
      }
      taken.add(new Taken(resource, number, preference));
    }
    return new FlavorTrial(flavorName, index, worst, taken);
  }

  /** Whether one of the pod sets had the flavor, if they are to keep what they had. */
  private boolean mayBe(List<PodSet> group, String flavor) {
    return kept.isEmpty()
        || kept.stream()
            .filter(given -> group.stream().anyMatch(one -> one.name().equals(given.name())))
            .anyMatch(given -> given.flavors().containsValue(flavor));
  }

  private boolean isOfRung(ResourceGroup group, ResourceFlavor flavor) {
    return rung == null
        || !RungChoice.filters(job.workload().shape(), group)
        || RungChoice.means(rung, flavor);
  }

  /** Whether the flavor's nodes let the pods in. */
  private boolean suits(PodSet podSet, ResourceFlavor flavor, ResourceGroup group) {
    Obstacle.Kind mismatch = placing.mismatch(podSet, flavor, group);
    Obstacle.Kind kind =
        mismatch == null ? NodeMatch.obstacle(podSet, flavor, state.fleet()) : mismatch;
    if (kind != null) {
      obstacles.add(Obstacle.of(kind, podSet, flavor.meta().name()));
    }
    return kind == null;
  }

  private FlavorPreference tryResource(
      PodSet podSet, String flavor, ResourceName resource, int number, long request) {
    long wanted = ResourceList.saturatedSum(usage.getOrDefault(number, 0L), request);
    long most = ledger.tree().potentiallyAvailable(node, number);
    // A request too large to be counted does not fit a quota that is too large to be counted.
    if (wanted > most || wanted == Long.MAX_VALUE) {
      obstacles.add(
          new Obstacle(
              Obstacle.Kind.EXCEEDS_QUOTA,
              podSet.name(),
              flavor,
              resource,
              wanted,
              Math.max(0, ledger.available(node, number)),
              most));
      return FlavorPreference.WORST;
    }
    SliceRoom room = sliceRoom(podSet, flavor, resource);
    if (room.amount() == SliceRoom.Amount.TOO_FEW) {
      return FlavorPreference.WORST;
    }
    long available = Math.max(0, ledger.available(node, number));
    if (wanted <= available && room.amount() == SliceRoom.Amount.ENOUGH) {
      return new FlavorPreference(
          FlavorPreference.Level.FIT, ledger.held().borrowingLevel(node, number, wanted));
    }
    if (wanted > available) {
      obstacles.add(
          new Obstacle(
              Obstacle.Kind.QUOTA_IN_USE,
              podSet.name(),
              flavor,
              resource,
              wanted,
              available,
              most));
    }
    return new PreemptionChance(state, oracle, job, slices)
        .of(flavor, number, wanted, wanted <= available);
  }

  private SliceRoom sliceRoom(PodSet podSet, String flavor, ResourceName resource) {
    SliceRoom room = SliceRoom.of(state, job, podSet, flavor, resource, slices, slicesMustBeFree);
    if (room.obstacle() != null) {
      obstacles.add(room.obstacle());
    }
    return room;
  }
}
