// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.flavor.RungTrial.Finding;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.state.usage.Usage;
import io.sluice.computeclasses.RungChoice;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.ComputeClass.WhenUnsatisfiable;
import io.sluice.queuemodel.quota.Rung;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Searches flavors along the rungs of a compute class, from the first.
 *
 * <ol>
 *   <li>A rung with room is taken, even if it is closed: closed means only that its capacity is not
 *       sought.
 *   <li>A rung that is closed, or has no flavor of the queue that could ever serve, is skipped.
 *   <li>A rung that needs preemption is taken, or remembered and taken if no later one has room, as
 *       the queue's {@code whenCanPreempt} says.
 *   <li>A rung that lacks quota stays open, and the walk continues.
 *   <li>A rung that has quota and lacks capacity is one to wait for. The walk ends there, unless
 *       the job has progress on later rungs, which are then tried down to the furthest, or unless
 *       the class seeks all of its rungs at once.
 * </ol>
 *
 * <p>Quota with which earlier jobs of the queue wait does not count, so the capacity sought never
 * exceeds the quota. If every rung is skipped, the class says what to do. The walk changes nothing.
 */
final class LadderWalk {
  private final AdmissionState state;
  private final PreemptionOracle oracle;
  private final JobEntry job;
  private final WorkloadShape shape;
  private final List<PodSet> podSets;
  private final ComputeClass ladder;
  private final List<RungTrial> trials = new ArrayList<>();
  private final List<Obstacle> obstacles = new ArrayList<>();
  private @Nullable FlavorAssignment remembered;
  private int rememberedRung;
  private boolean anyOpen;

  LadderWalk(
      AdmissionState state,
      PreemptionOracle oracle,
      JobEntry job,
      List<PodSet> podSets,
      ComputeClass ladder) {
    this.podSets = List.copyOf(podSets);
    this.state = state;
    this.oracle = oracle;
    this.job = job;
    this.shape = job.workload().shape();
    this.ladder = ladder;
  }

  FlavorAssignment walk() {
    int furthest = job.ladder().isEmpty() ? -1 : job.ladder().lastKey();
    for (int number = 0; number < ladder.rungs().size(); number++) {
      FlavorAssignment found = look(number);
      if (found != null) {
        return found.onRung(number, trials, obstacles);
      }
      boolean waits = trials.get(number).finding() == Finding.CAPACITY_LACKS;
      if (waits && number >= furthest && !ladder.pursuit().together()) {
        break;
      }
    }
    if (remembered != null) {
      return remembered.onRung(rememberedRung, trials, obstacles);
    }
    if (!anyOpen && ladder.whenUnsatisfiable() == WhenUnsatisfiable.SCALE_UP_ANYWAY) {
      FlavorAssignment any = draft(null, true);
      obstacles.addAll(any.obstacles());
      return any.onRung(null, trials, obstacles);
    }
    return FlavorAssignment.nothing(obstacles, trials);
  }

  /** Returns the assignment to take at a rung; null to continue. */
  private @Nullable FlavorAssignment look(int number) {
    Rung rung = ladder.rungs().get(number);
    RungProgress progress = job.ladder().get(number);
    if (RungChoice.flavors(rung, shape, job.queue().spec(), state.objects()::flavor).isEmpty()) {
      trials.add(RungTrial.of(number, Finding.NO_FLAVOR));
      return null;
    }
    FlavorAssignment here = draft(rung, true);
    if (here.mode() == AssignmentMode.FIT) {
      obstacles.addAll(here.obstacles());
      trials.add(RungTrial.of(number, Finding.FITS));
      return here;
    }
    if (progress != null && progress.closedAt(state.now())) {
      trials.add(new RungTrial(number, Finding.CLOSED, null, progress.at()));
      return null;
    }
    obstacles.addAll(here.obstacles());
    if (here.mode() == AssignmentMode.PREEMPT
        && here.need() != null
        && oracle.couldMake(job, here.need())) {
      anyOpen = true;
      trials.add(RungTrial.of(number, Finding.ROOM_BY_PREEMPTION));
      if (!job.queue().spec().policies().flavorFungibility().tryNextBeforePreempting()) {
        return here;
      }
      if (remembered == null) {
        remembered = here;
        rememberedRung = number;
      }
      return null;
    }
    trials.add(lacking(number, rung));
    return null;
  }

  private RungTrial lacking(int number, Rung rung) {
    FlavorAssignment capacityAside = draft(rung, false);
    if (capacityAside.mode() != AssignmentMode.FIT) {
      boolean ever =
          capacityAside.obstacles().stream()
              .anyMatch(obstacle -> obstacle.kind() == Obstacle.Kind.QUOTA_IN_USE);
      anyOpen |= ever;
      return RungTrial.of(number, ever ? Finding.QUOTA_LACKS : Finding.NO_FLAVOR);
    }
    anyOpen = true;
    if (!leavesEnough(capacityAside)) {
      return RungTrial.of(number, Finding.QUOTA_LACKS);
    }
    Assignment wanted =
        new Assignment(job.queue().name(), capacityAside.podSets(), List.of(), number);
    return new RungTrial(number, Finding.CAPACITY_LACKS, wanted, null);
  }

  /** Returns whether quota suffices beside that with which earlier jobs wait. */
  private boolean leavesEnough(FlavorAssignment wanted) {
    RoomNeed need = wanted.need();
    List<Usage> sought = state.ladders().soughtBefore(job);
    if (need == null || sought.isEmpty()) {
      return need != null;
    }
    Map<Integer, Long> sums = new TreeMap<>();
    for (int at = 0; at < need.usage().size(); at++) {
      sums.put(need.usage().flavorResource(at), need.usage().amount(at));
    }
    for (Usage usage : sought) {
      for (int at = 0; at < usage.size(); at++) {
        long amount = usage.amount(at);
        sums.computeIfPresent(
            usage.flavorResource(at), (number, sum) -> ResourceList.saturatedSum(sum, amount));
      }
    }
    return !sums.containsValue(Long.MAX_VALUE)
        && state.ledger().fits(Usage.of(need.usage().node(), sums));
  }

  private FlavorAssignment draft(@Nullable Rung rung, boolean slicesMustBeFree) {
    FlavorScope scope = FlavorScope.of(rung);
    return new AssignmentDraft(
            state, oracle, job, slicesMustBeFree ? scope : scope.withSlicesInUse(), podSets)
        .assignAll();
  }
}
