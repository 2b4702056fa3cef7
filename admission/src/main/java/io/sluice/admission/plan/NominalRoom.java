// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.promise.ChangedQueues;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.event.PlannedStart;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
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
  /** Maximum number of waiting jobs of a queue that are considered, each of another shape. */
  private static final int SHAPES_MAX = 16;

  private final AdmissionState state;

  NominalRoom(AdmissionState state) {
    this.state = state;
  }

  /** Begins to hold room where a job lacks it now. */
  void hold(Decisions decisions) {
    List<QueueState> unsettled = new ArrayList<>();
    FreeQuota free = state.ledger().free();
    for (QueueState queue : takeChanged()) {
      if (!mayHold(queue)) {
        state.plan().changedQueues().settle(queue.node());
      } else if (lendsOut(queue.node(), free) && !hold(decisions, queue)) {
        unsettled.add(queue);
      }
    }
    unsettled.forEach(queue -> state.plan().changedQueues().add(queue.node()));
  }

  /** Returns whether room may be held for a job of a queue, whatever others use. */
  private boolean mayHold(QueueState queue) {
    return queue.plannedStarts() == 0
        && queue.pending().size() > 0
        && queue.holdsNominalQuota()
        && queue.admits()
        && hasQuotaLeft(queue.node());
  }

  private boolean hasQuotaLeft(int node) {
    int width = state.ledger().tree().flavorResources().size();
    for (int number = 0; number < width; number++) {
      if (nominalLeft(node, number) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns what is left of the nominal quota of a queue; 0 if it has none of a pair. */
  private long nominalLeft(int node, int number) {
    QuotaUsage promised = state.ledger().promised();
    long nominal = promised.tree().nominal(node, number);
    return nominal == 0 ? 0 : -promised.beyond(nominal, node, number);
  }

  /** Returns the queues that may have come to lack nominal quota since they were taken. */
  private Collection<QueueState> takeChanged() {
    ChangedQueues changed = state.plan().changedQueues();
    if (changed.all()) {
      changed.clear();
      return state.queues();
    }
    BitSet nodes = state.tries().nodesOf(changed.trees());
    nodes.andNot(changed.settled());
    nodes.or(changed.queues());
    changed.clear();
    return nodes.stream().mapToObj(state.tries()::queue).toList();
  }

  /**
   * Begins to hold room for the first job of a queue that its nominal quota suffices for.
   *
   * @return false if that may change without a change of the queue or its tree
   */
  private boolean hold(Decisions decisions, QueueState queue) {
    boolean settled = true;
    List<JobEntry> jobs = mayBeWithin(queue);
    if (jobs.isEmpty()) {
      state.plan().changedQueues().settle(queue.node());
    }
    for (JobEntry job : jobs) {
      FlavorAssignment option = within(job, false);
      if (option != null && !isFree(StartSearch.usage(option))) {
        boolean withSlices = job.workload().shape().accelerator() != null;
        PlannedStart start = withSlices ? heldFor(job) : start(job, option);
        if (start != null) {
          decisions.record(new PlanEvent.StartPlanned(job.id(), start, PlanChange.BLOCKED));
          return true;
        }
        // Slices come and go.
        settled = false;
      }
    }
    return settled;
  }

  /** Returns the first jobs whose largest pod sets have room in the nominal quota. */
  private List<JobEntry> mayBeWithin(QueueState queue) {
    if (queue.strict()) {
      JobEntry first = queue.pending().first();
      return first != null && queue.mayTry(first) ? List.of(first) : List.of();
    }
    Prospect most = state.prospects().within(queue, number -> mostWithin(queue, number));
    return queue.pending().firstOfShapes(most, SHAPES_MAX);
  }

  /** Returns whether quota suffices now. */
  boolean isFree(Usage usage) {
    return usage.fitsQuota(state.ledger().held()) && usage.fitsQuota(state.ledger().promised());
  }

  /** Returns whether others use any of the nominal quota of a queue. */
  private boolean lendsOut(int node, FreeQuota free) {
    int width = state.ledger().tree().flavorResources().size();
    for (int number = 0; number < width; number++) {
      long left = nominalLeft(node, number);
      if (left > 0 && free.available(node, number) < left) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns what is to be held for a job; null if its nominal quota does not suffice, or if it
   * lacks slices that will not be there, or that are not free when the quota is.
   */
  @Nullable PlannedStart heldFor(JobEntry job) {
    FlavorAssignment option = job.queue().holdsNominalQuota() ? within(job, true) : null;
    return option == null ? null : start(job, option);
  }

  private static PlannedStart start(JobEntry job, FlavorAssignment option) {
    return new PlannedStart(null, StartSearch.wanted(job, option, List.of()), true);
  }

  /**
   * Returns whether what is held for a job would still suffice. Seeks flavors anew only if those of
   * the planned start have no room any more, or if quota objects have changed.
   */
  boolean stillHeldFor(Promise promise) {
    JobEntry job = promise.job();
    boolean same =
        !state.plan().changedQueues().all()
            && job.workload().shape().accelerator() == null
            && isWithinNominal(job.queue(), promise.usage());
    return same || heldFor(job) != null;
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

  /** Returns whether the nominal quota suffices, beside what the queue uses. */
  private boolean isWithinNominal(QueueState queue, Usage usage) {
    for (int at = 0; at < usage.size(); at++) {
      if (usage.amount(at) > mostWithin(queue, usage.flavorResource(at))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the most of one (flavor, resource) that a job may use. With StrictFIFO no other job of
   * the queue can take what attempts that end free, so that it need not be free yet.
   */
  private long mostWithin(QueueState queue, int number) {
    QuotaUsage promised = state.ledger().promised();
    long nominal = promised.tree().nominal(queue.node(), number);
    return queue.strict() ? nominal : -promised.beyond(nominal, queue.node(), number);
  }
}
