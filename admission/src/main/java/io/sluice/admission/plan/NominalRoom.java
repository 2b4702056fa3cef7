// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.fact.QueueState.NominalUse;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.event.PlannedStart;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Holds room in queues without planned starts: nominal quota that is lent out, for the first job
 * that it would suffice for, in queues that may not always reclaim it. Kueue reserves that room
 * within a cycle; here it is held until the job fits. Otherwise a stream of small jobs of other
 * queues would take each part of it that becomes free.
 *
 * <p>Only quota is held, no slices, and nothing for pods that are placed by a topology.
 */
final class NominalRoom {
  /** Maximum number of waiting jobs of a queue that are considered, and of different shapes. */
  private static final int JOBS_MAX = 256;

  private static final int SHAPES_MAX = 16;

  private final AdmissionState state;

  NominalRoom(AdmissionState state) {
    this.state = state;
  }

  /** Begins to hold room where a job lacks it now. */
  void hold(Decisions decisions) {
    for (QueueState queue : state.queues()) {
      if (queue.plannedStarts() == 0
          && queue.pending().size() > 0
          && queue.holdsNominalQuota()
          && queue.admits()
          && lendsOut(queue.node())) {
        hold(decisions, queue);
      }
    }
  }

  private void hold(Decisions decisions, QueueState queue) {
    for (NominalUse use : within(queue)) {
      PlannedStart start =
          state.withheld(use.job()) || isFree(use.usage()) ? null : heldFor(use.job());
      if (start != null) {
        decisions.record(new PlanEvent.StartPlanned(use.job().id(), start, PlanChange.BLOCKED));
        return;
      }
    }
  }

  /** Returns whether quota suffices now. */
  boolean isFree(Usage usage) {
    return usage.fitsQuota(state.ledger().held()) && usage.fitsQuota(state.ledger().promised());
  }

  /** Returns whether others use any of the nominal quota of a queue. */
  private boolean lendsOut(int node) {
    QuotaUsage promised = state.ledger().promised();
    int width = promised.tree().flavorResources().size();
    for (int number = 0; number < width; number++) {
      long left = -promised.beyond(promised.tree().nominal(node, number), node, number);
      if (left > 0 && state.ledger().available(node, number) < left) {
        return true;
      }
    }
    return false;
  }

  private List<NominalUse> within(QueueState queue) {
    List<NominalUse> known = queue.withinNominal();
    if (known == null) {
      known = seek(queue);
      state.plan().keepWithinNominal(queue, known);
    }
    return known;
  }

  private List<NominalUse> seek(QueueState queue) {
    List<NominalUse> found = new ArrayList<>();
    Set<Integer> shapes = new TreeSet<>();
    Iterator<JobEntry> waiting = queue.waiting(null);
    for (int seen = 0; seen < JOBS_MAX && shapes.size() < SHAPES_MAX && waiting.hasNext(); seen++) {
      JobEntry job = waiting.next();
      boolean pending = queue.pending().contains(job);
      if (pending && shapes.add(job.shape().number())) {
        FlavorAssignment option = within(job, false);
        if (option != null) {
          found.add(new NominalUse(job, StartSearch.usage(option)));
        }
      }
      if (queue.strict()) {
        break;
      }
    }
    return found;
  }

  /**
   * Returns what is to be held for a job; null if its nominal quota does not suffice, or if it
   * lacks slices that will not be there, or that are not free when the quota is.
   */
  @Nullable PlannedStart heldFor(JobEntry job) {
    FlavorAssignment option = job.queue().holdsNominalQuota() ? within(job, true) : null;
    return option == null
        ? null
        : new PlannedStart(null, StartSearch.wanted(job, option, List.of()), true);
  }

  /**
   * Returns the first flavors for a job within the nominal quota; null if there are none.
   *
   * @param withSlices whether slices for it must be there
   */
  private @Nullable FlavorAssignment within(JobEntry job, boolean withSlices) {
    for (FlavorAssignment option :
        new FlavorAssigner(state, PreemptionOracle.NOBODY).inEmptyFleet(job)) {
      RoomNeed need = option.need();
      if (need != null
          && need.pods().isEmpty()
          && isWithinNominal(job.queue(), need.usage())
          && (!withSlices || areSlicesThere(job, need))) {
        return option;
      }
    }
    return null;
  }

  /**
   * Returns whether there are slices for a job: free ones if the quota is free, else such as become
   * free. Otherwise the quota would be held for nothing.
   */
  private boolean areSlicesThere(JobEntry job, RoomNeed need) {
    if (need.pool() == null) {
      return true;
    }
    int slices =
        isFree(need.usage())
            ? need.freeSlices(state.slices()).size()
            : new SliceStarts(state, job, need).afterAll().size();
    return slices >= need.slices();
  }

  /**
   * Returns whether the nominal quota suffices, beside what the queue uses. With StrictFIFO no
   * other job of the queue can take what that frees, so that it need not be free yet.
   */
  private boolean isWithinNominal(QueueState queue, Usage usage) {
    QuotaUsage promised = state.ledger().promised();
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      long nominal = promised.tree().nominal(usage.node(), number);
      boolean within =
          queue.strict()
              ? usage.amount(at) <= nominal
              : usage.amount(at) <= -promised.beyond(nominal, usage.node(), number);
      if (!within) {
        return false;
      }
    }
    return true;
  }
}
