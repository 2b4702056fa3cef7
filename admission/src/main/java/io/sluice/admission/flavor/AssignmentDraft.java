// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.JobEntry;
import io.sluice.admission.state.QuotaLedger;
import io.sluice.admission.state.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.computeclasses.RungChoice;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.PodSetAssignment;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorFungibility;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.PreemptionPolicy;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.Rung;
import io.sluice.queuemodel.quota.Taint;
import io.sluice.queuemodel.quota.Toleration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One assignment in the making. */
final class AssignmentDraft {
  private static final ResourceName PODS = new ResourceName("pods");

  /** What taking a flavor for one group of resources would mean. */
  private record FlavorTrial(String flavor, FlavorPreference preference, List<Taken> taken) {}

  private enum SliceRoom {
    ENOUGH,
    IN_USE,
    TOO_FEW
  }

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
  private final SortedMap<Integer, Long> usage = new TreeMap<>();
  private final boolean[] lacking;
  private final List<PodSetAssignment> podSets = new ArrayList<>();
  private final List<Obstacle> obstacles = new ArrayList<>();
  private AssignmentMode mode = AssignmentMode.FIT;
  private int borrowingLevel;
  private @Nullable SlicePool pool;

  /**
   * A draft without anything yet.
   *
   * @param rung null: flavors of every rung
   * @param slicesMustBeFree false: slices need only be in the fleet
   */
  AssignmentDraft(
      AdmissionState state,
      PreemptionOracle oracle,
      JobEntry job,
      @Nullable Rung rung,
      boolean slicesMustBeFree) {
    this.rung = rung;
    this.slicesMustBeFree = slicesMustBeFree;
    this.state = state;
    this.ledger = state.ledger();
    this.oracle = oracle;
    this.job = job;
    this.node = job.queue().node();
    this.fungibility = job.queue().spec().policies().flavorFungibility();
    this.lacking = new boolean[ledger.tree().flavorResources().size()];
  }

  FlavorAssignment finish() {
    RoomNeed need = null;
    if (mode != AssignmentMode.NO_FIT) {
      AcceleratorRequest accelerator = job.workload().shape().accelerator();
      int slices = accelerator == null ? 0 : accelerator.slices();
      need = new RoomNeed(Usage.of(node, usage), lacking, pool, slices, job.id());
    }
    return new FlavorAssignment(mode, borrowingLevel, podSets, need, obstacles, null, List.of());
  }

  /**
   * Takes flavors for a pod set.
   *
   * @return false if there are none
   */
  boolean assign(PodSet podSet) {
    ResourceList requests = podSet.total();
    if (job.queue().groupOf(PODS) != null) {
      requests = requests.plus(ResourceList.of(PODS, podSet.count()));
    }
    SortedMap<ResourceName, String> flavors = new TreeMap<>();
    for (ResourceName resource : requests.amounts().keySet()) {
      ResourceGroup group = job.queue().groupOf(resource);
      if (flavors.containsKey(resource) || (group == null && requests.get(resource) == 0)) {
        continue;
      }
      FlavorTrial found = group == null ? null : choose(podSet, group, requests);
      if (found == null) {
        if (group == null) {
          obstacles.add(
              obstacle(
                  Obstacle.Kind.RESOURCE_NOT_COVERED,
                  podSet,
                  "",
                  resource,
                  requests.get(resource)));
        }
        mode = AssignmentMode.NO_FIT;
        return false;
      }
      take(found, requests, flavors);
    }
    SortedMap<ResourceName, Long> counted = new TreeMap<>();
    flavors.keySet().forEach(resource -> counted.put(resource, amountOf(podSet, resource)));
    podSets.add(
        new PodSetAssignment(podSet.name(), podSet.count(), flavors, new ResourceList(counted)));
    return true;
  }

  private static long amountOf(PodSet podSet, ResourceName resource) {
    return resource.equals(PODS) ? podSet.count() : podSet.total().get(resource);
  }

  private void take(
      FlavorTrial found, ResourceList requests, SortedMap<ResourceName, String> flavors) {
    for (Taken taken : found.taken()) {
      flavors.put(taken.resource(), found.flavor());
      usage.merge(taken.flavorResource(), requests.get(taken.resource()), Math::addExact);
      borrowingLevel = Math.max(borrowingLevel, taken.preference().level());
      AssignmentMode taking = taken.preference().mode().assignmentMode();
      if (taking == AssignmentMode.PREEMPT) {
        lacking[taken.flavorResource()] = true;
      }
      mode = taking.compareTo(mode) < 0 ? taking : mode;
      AcceleratorRequest accelerator = job.workload().shape().accelerator();
      if (accelerator != null && taken.resource().equals(ResourceName.TPU)) {
        pool = SlicePool.of(found.flavor(), accelerator);
      }
    }
  }

  /** The flavor to take of a group; null if none will do. */
  private @Nullable FlavorTrial choose(PodSet podSet, ResourceGroup group, ResourceList requests) {
    FlavorTrial best = null;
    FlavorPreference bestPreference = FlavorPreference.WORST;
    for (FlavorQuotas quotas : group.flavors()) {
      FlavorTrial trial = tryFlavor(podSet, group, quotas.flavor(), requests);
      if (trial == null) {
        continue;
      }
      if (!trial.preference().worthLookingFurther(fungibility)) {
        return trial;
      }
      if (trial.preference().betterThan(bestPreference, fungibility)) {
        best = trial;
        bestPreference = trial.preference();
      }
    }
    return best;
  }

  private @Nullable FlavorTrial tryFlavor(
      PodSet podSet, ResourceGroup group, String flavorName, ResourceList requests) {
    ResourceFlavor flavor = state.objects().flavor(flavorName);
    if (flavor == null || !isOfRung(group, flavor) || !suits(podSet, flavor)) {
      return null;
    }
    FlavorPreference worst = FlavorPreference.BEST;
    List<Taken> taken = new ArrayList<>();
    for (ResourceName resource : group.coveredResources()) {
      if (!requests.amounts().containsKey(resource)) {
        continue;
      }
      int number = ledger.tree().flavorResources().find(flavorName, resource);
      FlavorPreference preference =
          tryResource(podSet, flavorName, resource, number, requests.get(resource));
      if (worst.betterThan(preference, fungibility)) {
        worst = preference;
      }
      if (preference.mode() == FlavorPreference.Level.NO_FIT) {
        return null;
      }
      taken.add(new Taken(resource, number, preference));
    }
    return new FlavorTrial(flavorName, worst, taken);
  }

  private boolean isOfRung(ResourceGroup group, ResourceFlavor flavor) {
    return rung == null
        || !RungChoice.filters(job.workload().shape(), group)
        || RungChoice.means(rung, flavor);
  }

  /** Whether the flavor's nodes let the pods in. */
  private boolean suits(PodSet podSet, ResourceFlavor flavor) {
    for (Taint taint : flavor.nodeTaints()) {
      Stream<Toleration> tolerations =
          Stream.concat(podSet.tolerations().stream(), flavor.tolerations().stream());
      if (taint.repels() && tolerations.noneMatch(toleration -> toleration.tolerates(taint))) {
        obstacles.add(flavorObstacle(Obstacle.Kind.UNTOLERATED_TAINT, podSet, flavor));
        return false;
      }
    }
    // A label that the flavor does not name may be on its nodes or not: it excludes nothing.
    for (Map.Entry<String, String> wanted : podSet.nodeSelector().entries().entrySet()) {
      String offered = flavor.nodeLabels().get(wanted.getKey());
      if (offered != null && !offered.equals(wanted.getValue())) {
        obstacles.add(flavorObstacle(Obstacle.Kind.NODE_SELECTOR, podSet, flavor));
        return false;
      }
    }
    return true;
  }

  private FlavorPreference tryResource(
      PodSet podSet, String flavor, ResourceName resource, int number, long request) {
    long wanted = Math.addExact(usage.getOrDefault(number, 0L), request);
    long most = ledger.tree().potentiallyAvailable(node, number);
    if (wanted > most) {
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
    SliceRoom slices = sliceRoom(podSet, flavor, resource);
    if (slices == SliceRoom.TOO_FEW) {
      return FlavorPreference.WORST;
    }
    long available = ledger.available(node, number);
    if (wanted <= available && slices == SliceRoom.ENOUGH) {
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
              Math.max(0, available),
              most));
    }
    return askOracle(flavor, number, wanted, wanted <= available);
  }

  private SliceRoom sliceRoom(PodSet podSet, String flavor, ResourceName resource) {
    AcceleratorRequest accelerator = job.workload().shape().accelerator();
    if (accelerator == null || !resource.equals(ResourceName.TPU)) {
      return SliceRoom.ENOUGH;
    }
    SlicePool offered = SlicePool.of(flavor, accelerator);
    int there = state.slices().of(offered).size();
    int free = state.slices().free(offered, there, job.id()).size();
    boolean enough =
        slicesMustBeFree ? free >= accelerator.slices() : there >= accelerator.slices();
    if (enough) {
      return SliceRoom.ENOUGH;
    }
    SliceRoom room = there < accelerator.slices() ? SliceRoom.TOO_FEW : SliceRoom.IN_USE;
    obstacles.add(
        new Obstacle(
            sliceObstacle(room, state.slices().presentOf(offered) < accelerator.slices()),
            podSet.name(),
            flavor,
            resource,
            accelerator.slices(),
            free,
            there));
    return room;
  }

  private static Obstacle.Kind sliceObstacle(SliceRoom room, boolean absent) {
    if (room == SliceRoom.TOO_FEW) {
      return Obstacle.Kind.TOO_FEW_SLICES;
    }
    return absent ? Obstacle.Kind.SLICES_ABSENT : Obstacle.Kind.SLICES_IN_USE;
  }

  private FlavorPreference askOracle(String flavor, int number, long wanted, boolean quotaFits) {
    boolean byPolicy =
        quotaFits
            || ledger.tree().nominal(node, number) >= wanted
            || ledger.held().coveredBelowRoot(node, number, wanted)
            || job.queue().spec().policies().preemption().borrowWithinCohort()
                != PreemptionPolicy.NEVER;
    boolean[] alone = new boolean[lacking.length];
    alone[number] = true;
    AcceleratorRequest accelerator = job.workload().shape().accelerator();
    boolean ofSlices =
        accelerator != null
            && ledger.tree().flavorResources().pair(number).resource().equals(ResourceName.TPU);
    Usage one = Usage.of(node, Collections.singletonMap(number, wanted));
    RoomNeed need =
        accelerator != null && ofSlices
            ? new RoomNeed(
                one, alone, SlicePool.of(flavor, accelerator), accelerator.slices(), job.id())
            : new RoomNeed(one, alone, null, 0, job.id());
    PreemptionOracle.Answer answer = oracle.ask(job, need, !byPolicy);
    if (!byPolicy && answer.possibility() == Possibility.NO_CANDIDATES) {
      return FlavorPreference.WORST;
    }
    return new FlavorPreference(
        FlavorPreference.Level.of(answer.possibility()), answer.borrowingLevel());
  }

  private Obstacle flavorObstacle(Obstacle.Kind kind, PodSet podSet, ResourceFlavor flavor) {
    ResourceName any = podSet.requests().isEmpty() ? PODS : podSet.requests().amounts().firstKey();
    return obstacle(kind, podSet, flavor.meta().name(), any, podSet.total().get(any));
  }

  private static Obstacle obstacle(
      Obstacle.Kind kind, PodSet podSet, String flavor, ResourceName resource, long wanted) {
    return new Obstacle(kind, podSet.name(), flavor, resource, wanted, 0, 0);
  }
}
