// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.ordering.QueueOrder;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.Resize;
import io.sluice.queuemodel.job.AttemptState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Grows elastic attempts once a round can decide nothing else. They take slices that no pending job
 * could use for a while, one at a time, in order of priority and age. All slices that one attempt
 * takes are one resize.
 */
public final class Growth {
  private static final Comparator<Attempt> ORDER =
      Comparator.comparing((Attempt attempt) -> attempt.job().workload(), QueueOrder.OF_WORKLOADS)
          .thenComparing(Attempt::key);

  private final Decisions decisions;
  private final AdmissionState state;

  /** Pending jobs while attempts grow; computed on first use, because it is expensive. */
  private @Nullable PendingShapes pending;

  public Growth(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
  }

  public void grow() {
    if (!state.awaited().isEmpty()) {
      return;
    }
    List<Attempt> growing = new ArrayList<>();
    for (Attempt attempt : state.elastic()) {
      if (mayGrow(attempt)) {
        growing.add(attempt);
      }
    }
    growing.sort(ORDER);
    pending = null;
    growing.forEach(this::grow);
  }

  private boolean mayGrow(Attempt attempt) {
    return attempt.state() == AttemptState.RUNNING
        && attempt.settled()
        && attempt.assignment().slices().size() < attempt.range().max()
        && !attempt.mayGrowFrom().isAfter(decisions.now())
        && attempt.job().hold() == null
        && state.admits(attempt.job().workload().queue());
  }

  /** Returns the longest prefix of the free slices for which there is quota. */
  private List<String> withinQuota(Attempt attempt, List<String> free) {
    List<String> slices = new ArrayList<>(attempt.assignment().slices());
    int fitting = 0;
    boolean fits = true;
    try (UsageTrial held = new UsageTrial(state.ledger().held());
        UsageTrial promised = new UsageTrial(state.ledger().promised())) {
      held.remove(attempt.usage());
      promised.remove(attempt.usage());
      while (fits && fitting < free.size()) {
        slices.add(free.get(fitting));
        Usage grown = state.ledger().count(attempt.assignment().onSlices(slices));
        fits = state.ledger().fits(grown) && state.plan().guard().permitsGrowth(attempt, grown);
        fitting += fits ? 1 : 0;
      }
    }
    return free.subList(0, fitting);
  }

  /** Returns free slices that are not kept for planned starts. */
  private List<String> free(Attempt attempt, SlicePool pool, int most) {
    Runnable giveBack = state.plan().guard().keepSlicesFrom(attempt);
    try {
      return state.slices().free(pool, most);
    } finally {
      giveBack.run();
    }
  }

  private void grow(Attempt attempt) {
    SlicePool pool = attempt.pool();
    List<String> slices = attempt.assignment().slices();
    int most = attempt.range().max() - slices.size();
    List<String> free = pool == null ? List.of() : withinQuota(attempt, free(attempt, pool, most));
    if (free.isEmpty()) {
      return;
    }
    Instant now = decisions.now();
    List<String> unused = unused(attempt, free, now);
    List<String> grown = new ArrayList<>(slices);
    grown.addAll(unused(attempt, unused, now.plus(attempt.range().minGrow())));
    if (grown.size() > slices.size()) {
      decisions.record(attempt.onSlices(grown, Resize.grown()));
    }
  }

  /** Growth does not change which jobs are pending. */
  private PendingShapes pending() {
    PendingShapes known = pending == null ? PendingShapes.of(state) : pending;
    pending = known;
    return known;
  }

  /** Returns the longest prefix of the slices that no pending job could use at a given time. */
  private List<String> unused(Attempt attempt, List<String> free, Instant by) {
    List<String> grown = new ArrayList<>(attempt.assignment().slices());
    int unused = 0;
    if (!free.isEmpty()) {
      try (GrowthOutlook outlook = new GrowthOutlook(state, attempt, pending(), by)) {
        boolean allowed = true;
        while (allowed && unused < free.size()) {
          List<String> next = new ArrayList<>(grown);
          next.add(free.get(unused));
          allowed = outlook.allows(grown, next);
          unused += allowed ? 1 : 0;
          grown = next;
        }
      }
    }
    return free.subList(0, unused);
  }
}
