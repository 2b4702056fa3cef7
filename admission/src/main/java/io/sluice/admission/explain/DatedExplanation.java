// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.admission.explain.Explanation.Account;
import io.sluice.admission.explain.Explanation.Dated;
import io.sluice.admission.explain.Explanation.InTheWay;
import io.sluice.admission.explain.Explanation.Times;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.Obstacle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.plan.StartSearch;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Calendar;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.IndexKey;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Explains a job that bookings of other queues or outages keep from starting, because it could
 * still run when they need what it would use.
 */
final class DatedExplanation {
  private final AdmissionState state;
  private final JobEntry job;
  private final FlavorAssignment assignment;

  DatedExplanation(AdmissionState state, JobEntry job, FlavorAssignment assignment) {
    this.state = state;
    this.job = job;
    this.assignment = assignment;
  }

  /** Returns the explanation; null if nothing that is booked or absent is in the way. */
  @Nullable Explanation explain(IndexKey index, int ahead, List<RungAccount> rungs) {
    if (state.plan().calendar().isEmpty()) {
      return null;
    }
    List<Dated> dated = inTheWay().stream().map(entry -> Dated.of(entry.object())).toList();
    if (dated.isEmpty()) {
      return null;
    }
    PlannedStart first = new StartSearch(state).seek(job);
    return new Explanation(
        index,
        Blocker.DATED_CAPACITY,
        ahead,
        assignment.obstacles(),
        InTheWay.NOBODY,
        new Times(null, first == null ? null : first.at()),
        SmallestChange.WAIT,
        new Account(rungs, null, null, dated));
  }

  private List<Calendar.Entry> inTheWay() {
    RoomNeed need = assignment.need();
    Usage usage = need == null ? obstacles() : need.usage();
    List<Calendar.Entry> byQuota =
        usage.size() == 0 ? List.of() : state.plan().fillers().datedInTheWay(job, usage);
    return byQuota.isEmpty() ? bySlices() : byQuota;
  }

  /** Returns what the job wants where planned starts, bookings or outages forbid it. */
  private Usage obstacles() {
    TreeMap<Integer, Long> wanted = new TreeMap<>();
    for (Obstacle obstacle : assignment.obstacles()) {
      if (obstacle.kind() == Obstacle.Kind.PLANNED_STARTS) {
        int number =
            state.ledger().tree().flavorResources().find(obstacle.flavor(), obstacle.resource());
        wanted.merge(number, obstacle.wanted(), Math::max);
      }
    }
    return Usage.of(job.queue().node(), wanted);
  }

  /** Returns those whose slices are free and would suffice. */
  private List<Calendar.Entry> bySlices() {
    AcceleratorRequest request = job.workload().shape().accelerator();
    long now = Ticks.of(state.now());
    long end = Ticks.plus(now, state.plan().stay(job));
    List<Calendar.Entry> some =
        state.plan().calendar().keepingSlicesFrom(job.queue().node(), now, end);
    if (request == null || some.isEmpty()) {
      return List.of();
    }
    for (Obstacle obstacle : assignment.obstacles()) {
      if (obstacle.kind() == Obstacle.Kind.SLICES_IN_USE) {
        SlicePool pool = SlicePool.of(obstacle.flavor(), job.workload().shape());
        int wanted = (int) Math.min(Integer.MAX_VALUE, obstacle.wanted());
        if (state.slices().free(pool, wanted, job.id()).size() >= wanted) {
          some.removeIf(entry -> entry.slices().stream().noneMatch(one -> serves(one, pool)));
          return some;
        }
      }
    }
    return List.of();
  }

  private boolean serves(String slice, SlicePool pool) {
    return state.slices().serves(slice, pool) || state.slices().sharesHosts(slice, pool);
  }
}
