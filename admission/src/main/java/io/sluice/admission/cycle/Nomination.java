// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.CountReduction;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.PodPlacing;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.PriorHolding;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.flavor.ScanPositions;
import io.sluice.admission.placement.Placement.Places;
import io.sluice.admission.preemption.VictimSearch;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Nominates a head: finds flavors, and fillers or victims where they are needed. For pod sets that
 * accept fewer pods, it searches the largest counts that fit. An elastic job gets as many slices as
 * are free; preemption is only for its minimum.
 */
public final class Nomination {
  private final AdmissionState state;
  private final FlavorAssigner usual;
  private final FlavorAssigner withoutVictims;
  private final FillerSearch fillers;
  private final VictimSearch victimSearch;

  public Nomination(AdmissionState state) {
    this.state = state;
    this.victimSearch = new VictimSearch(state);
    this.usual = new FlavorAssigner(state, victimSearch);
    this.withoutVictims = new FlavorAssigner(state, PreemptionOracle.NOBODY);
    this.fillers = new FillerSearch(state);
  }

  public CycleEntry of(JobEntry head, ScanPositions positions) {
    return of(head, podSets -> usual.assign(head, podSets, positions));
  }

  /** Nominates a head that already holds quota. */
  public CycleEntry of(JobEntry head, ScanPositions positions, PriorHolding prior) {
    FlavorAssigner assigner = new FlavorAssigner(state, victimSearch, prior);
    return of(head, podSets -> assigner.assign(head, podSets, positions));
  }

  /** Nominates again after earlier heads were served; it keeps the flavors that were found. */
  public CycleEntry again(CycleEntry entry) {
    return of(
        entry.job(),
        podSets -> usual.assignAgain(entry.job(), podSets, entry.assignment().podSets()));
  }

  private CycleEntry of(JobEntry head, Function<List<PodSet>, FlavorAssignment> assign) {
    Runnable giveBack = state.plan().guard().keepSlicesFrom(head);
    try {
      return victimSearch.forOneHead(() -> nominate(head, assign));
    } finally {
      giveBack.run();
    }
  }

  private CycleEntry nominate(JobEntry head, Function<List<PodSet>, FlavorAssignment> assign) {
    Optional<CycleEntry> most = withMostSlices(head);
    if (most.isPresent()) {
      return most.get();
    }
    List<PodSet> all = head.workload().shape().leastPodSets();
    FlavorAssignment full = assign.apply(all);
    Optional<CycleEntry> found =
        full.mode() == AssignmentMode.FIT ? Optional.empty() : fillers.find(head);
    if (found.isEmpty()) {
      found = feasible(head, full);
    }
    if (found.isEmpty() && state.policy().reducesCounts()) {
      found = new CountReduction(all).search(podSets -> feasible(head, assign.apply(podSets)));
    }
    return found.orElseGet(() -> new CycleEntry(head, placed(full, null), null));
  }

  /**
   * Finds by binary search the most slices of an elastic job, above its minimum, that fit without
   * preemption. It assumes that more slices do not fit if fewer do not.
   */
  private Optional<CycleEntry> withMostSlices(JobEntry head) {
    WorkloadShape shape = head.workload().shape();
    AcceleratorRequest accelerator = shape.accelerator();
    Optional<CycleEntry> found = Optional.empty();
    if (accelerator == null || !accelerator.elastic()) {
      return found;
    }
    int low = accelerator.slices().min();
    int high = accelerator.slices().max();
    for (int slices = high; low < high; slices = low + (high - low + 1) / 2) {
      FlavorAssignment here =
          withoutVictims.assign(head, shape.podSets(slices), ScanPositions.START);
      if (here.mode() == AssignmentMode.FIT) {
        found = Optional.of(new CycleEntry(head, here, null));
        low = slices;
      } else {
        high = slices - 1;
      }
    }
    return found;
  }

  /**
   * Adds the places that the pods would have once the victims are gone, so that no other pods are
   * placed there. Without victims, it adds the places that they would have in an empty fleet.
   */
  private FlavorAssignment placed(FlavorAssignment assignment, @Nullable Victims victims) {
    RoomNeed need = assignment.need();
    if (need == null || need.pods().isEmpty()) {
      return assignment;
    }
    QuotaUsage promised = state.ledger().promised();
    try (UsageTrial without = new UsageTrial(promised)) {
      without.removeAll(victims == null ? List.of() : victims.usages());
      Places places =
          PodPlacing.find(
              state, need.pods(), victims == null ? List.of() : List.of(promised.nodes()));
      return assignment.placed(state.topologies(), places);
    }
  }

  /** Returns an entry that fits or has victims; empty if there is none. */
  private Optional<CycleEntry> feasible(JobEntry head, FlavorAssignment assignment) {
    RoomNeed need = assignment.need();
    if (assignment.mode() == AssignmentMode.FIT) {
      return Optional.of(new CycleEntry(head, assignment, null));
    }
    if (assignment.mode() != AssignmentMode.PREEMPT || need == null) {
      return Optional.empty();
    }
    // Draining capacity is enough: no eviction and no claim; the head waits for that room.
    return victimSearch
        .findPermitted(head, need)
        .filter(victims -> !victims.nobody() && permits(head, need, victims))
        .map((Victims victims) -> new CycleEntry(head, placed(assignment, victims), victims));
  }

  /** Returns whether planned starts permit that a head takes the room of its victims. */
  boolean permits(JobEntry head, RoomNeed need, Victims victims) {
    return victims.permitted(state.plan().guard(), head, need.usage());
  }
}
