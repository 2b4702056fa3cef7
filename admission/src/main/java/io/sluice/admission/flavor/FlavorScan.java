// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.computeclasses.RungChoice;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.Rung;
import io.sluice.queuemodel.quota.policy.FlavorFungibility;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tries the flavors of a resource group for pod sets that belong together, and chooses one. It does
 * not modify the assignment.
 */
final class FlavorScan {
  /**
   * The result of trying a flavor for one resource group.
   *
   * @param number number of the flavor in the group
   */
  record Trial(String flavor, int number, FlavorPreference preference, List<Taken> taken) {}

  /** The result for one resource of the group. */
  record Taken(ResourceName resource, int flavorResource, FlavorPreference preference) {}

  private final AdmissionState state;
  private final QuotaLedger ledger;
  private final PreemptionOracle oracle;
  private final JobEntry job;
  private final int node;
  private final FlavorFungibility fungibility;
  private final FlavorScope scope;
  private final int slices;
  private final SortedMap<Integer, Long> used;
  private final PodPlacing placing;
  private final List<Obstacle> obstacles;

  /**
   * Creates a scan for one assignment of a job.
   *
   * @param slices total number of slices for the job
   * @param used amounts that the assignment takes so far, by number of (flavor, resource); may grow
   * @param obstacles receives the reasons why flavors are unsuitable
   */
  FlavorScan(
      AdmissionState state,
      PreemptionOracle oracle,
      JobEntry job,
      FlavorScope scope,
      int slices,
      SortedMap<Integer, Long> used,
      List<Obstacle> obstacles) {
    this.state = state;
    this.ledger = state.ledger();
    this.oracle = oracle;
    this.job = job;
    this.node = job.queue().node();
    this.fungibility = job.queue().spec().policies().flavorFungibility();
    this.scope = scope;
    this.slices = slices;
    this.used = Collections.unmodifiableSortedMap(used);
    this.placing = new PodPlacing(state, job);
    this.obstacles = obstacles;
  }

  /** Returns the placing of the job's pods. */
  PodPlacing placing() {
    return placing;
  }

  /** Returns the amount that pod sets need of a resource; negative if they already hold more. */
  long needed(List<PodSet> group, ResourceName resource, long requested) {
    return requested == Long.MAX_VALUE
        ? requested
        : requested - scope.prior().held(group, resource);
  }

  /** Returns the chosen flavor of a resource group; null if none is suitable. */
  @Nullable Trial choose(
      List<PodSet> podSets, ResourceGroup group, ResourceList requests, ResourceName first) {
    AlternativeWalk walk = new AlternativeWalk(podSets, job.workload().shape(), group);
    if (walk.isEmpty()) {
      int from = scope.positions().next(podSets.get(0).name(), first);
      return scan(podSets, group, requests, from, flavor -> true);
    }
    refuseNeverPermitted(podSets, group, walk);
    Trial found =
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

  /** Returns the chosen flavor among the permitted ones; null if none is suitable. */
  private @Nullable Trial scan(
      List<PodSet> podSets,
      ResourceGroup group,
      ResourceList requests,
      int from,
      Predicate<ResourceFlavor> permitted) {
    Trial best = null;
    FlavorPreference bestPreference = FlavorPreference.WORST;
    int last = group.flavors().size() - 1;
    for (int number = from; number <= last; number++) {
      ResourceFlavor flavor = state.objects().flavor(group.flavors().get(number).flavor());
      Trial trial =
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

  /** Returns the trial with the number of the last flavor tried, or the mark that all were. */
  private static Trial scanned(Trial trial, int number, int last) {
    return new Trial(
        trial.flavor(),
        number == last ? FlavorChoice.ALL_TRIED : number,
        trial.preference(),
        trial.taken());
  }

  private @Nullable Trial tryFlavor(
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
      if (!scope.prior().permits(podSets, resource, flavorName)) {
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
    return new Trial(flavorName, index, worst, taken);
  }

  /** Returns whether the flavor is among those to keep, if any are. */
  private boolean mayBe(List<PodSet> group, String flavor) {
    return scope.kept().isEmpty()
        || scope.kept().stream()
            .filter(given -> group.stream().anyMatch(one -> one.name().equals(given.name())))
            .anyMatch(given -> given.flavors().containsValue(flavor));
  }

  private boolean isOfRung(ResourceGroup group, ResourceFlavor flavor) {
    Rung rung = scope.rung();
    return rung == null
        || !RungChoice.filters(job.workload().shape(), group)
        || RungChoice.means(rung, flavor);
  }

  /** Returns whether the flavor's nodes accept the pods. */
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
    long wanted = ResourceList.saturatedSum(used.getOrDefault(number, 0L), request);
    long most = ledger.tree().potentiallyAvailable(node, number);
    // A saturated request does not fit a saturated quota.
    if (wanted > most || wanted == Long.MAX_VALUE) {
      addObstacle(Obstacle.Kind.EXCEEDS_QUOTA, podSet, flavor, resource, number, wanted);
      return FlavorPreference.WORST;
    }
    SliceRoom room = sliceRoom(podSet, flavor, resource);
    if (room.amount() == SliceRoom.Amount.TOO_FEW) {
      return FlavorPreference.WORST;
    }
    long available = Math.max(0, ledger.available(node, number));
    boolean enough = wanted <= available || !scope.quotaMustBeFree();
    if (enough && room.amount() == SliceRoom.Amount.ENOUGH) {
      if (scope.quotaMustBeFree() && !state.plan().guard().permits(job, node, number, wanted)) {
        addObstacle(Obstacle.Kind.PLANNED_STARTS, podSet, flavor, resource, number, wanted);
        return FlavorPreference.WORST;
      }
      return new FlavorPreference(
          FlavorPreference.Level.FIT, ledger.held().borrowingLevel(node, number, wanted));
    }
    if (wanted > available) {
      addObstacle(Obstacle.Kind.QUOTA_IN_USE, podSet, flavor, resource, number, wanted);
    }
    return new PreemptionChance(state, oracle, job, slices)
        .of(flavor, number, wanted, wanted <= available);
  }

  private void addObstacle(
      Obstacle.Kind kind,
      PodSet podSet,
      String flavor,
      ResourceName resource,
      int number,
      long wanted) {
    long available = Math.max(0, ledger.available(node, number));
    long most = ledger.tree().potentiallyAvailable(node, number);
    obstacles.add(new Obstacle(kind, podSet.name(), flavor, resource, wanted, available, most));
  }

  private SliceRoom sliceRoom(PodSet podSet, String flavor, ResourceName resource) {
    SliceRoom room =
        SliceRoom.of(state, job, podSet, flavor, resource, slices, scope.slicesMustBeFree());
    if (room.obstacle() != null) {
      obstacles.add(room.obstacle());
    }
    return room;
  }
}
