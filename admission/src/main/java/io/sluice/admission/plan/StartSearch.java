// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Plan;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageForecast.Span;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PlannedStart;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the earliest start of a blocked job that moves no planned start of another: the first time
 * from which quota and slices suffice until the job's own latest end. Of several combinations of
 * flavors it takes the one with the earliest start, the first among equals.
 *
 * <p>Jobs whose pods are placed by a topology get no planned start, because the use of nodes is not
 * forecast.
 */
public final class StartSearch {
  /** Maximum number of alternations between quota and slices for one combination of flavors. */
  private static final int STEPS_MAX = 1_000;

  private final AdmissionState state;
  private final Plan plan;

  public StartSearch(AdmissionState state) {
    this.state = state;
    this.plan = state.plan();
  }

  /** A start that was found. */
  private record Found(long at, List<String> slices) {}

  /**
   * Returns the earliest start of one more index of a job; without a time if it depends on an
   * attempt without a latest end; null if the job can never start beside what stays for ever.
   */
  public @Nullable PlannedStart find(JobEntry job) {
    if (job.queue().plannedDepth() == 0) {
      return new NominalRoom(state).heldFor(job);
    }
    return seek(job);
  }

  /** Returns the earliest start as {@link #find} does, whether or not the queue is planned. */
  public @Nullable PlannedStart seek(JobEntry job) {
    List<FlavorAssignment> options =
        new FlavorAssigner(state, PreemptionOracle.NOBODY).inEmptyFleet(job);
    Optional<PlannedStart> found =
        plan.without(
            plan.guard().ownAndOutranked(job),
            () ->
                plan.guard().besidePreemptible(job, () -> Optional.ofNullable(best(job, options))));
    return found.orElse(null);
  }

  private @Nullable PlannedStart best(JobEntry job, List<FlavorAssignment> options) {
    FlavorAssignment best = null;
    Found first = null;
    for (FlavorAssignment option : options) {
      RoomNeed need = option.need();
      Found found = need == null || !need.pods().isEmpty() ? null : earliest(job, need);
      if (found != null && (first == null || found.at() < first.at())) {
        best = option;
        first = found;
      }
    }
    return best == null || first == null ? heldFor(job, options) : start(job, best, first);
  }

  private PlannedStart start(JobEntry job, FlavorAssignment option, Found found) {
    long to = Ticks.plus(found.at(), plan.stay(job));
    boolean firm = plan.forecast().staysOwn(new Span(usage(option), found.at(), to));
    return new PlannedStart(Ticks.instant(found.at()), wanted(job, option, found.slices()), firm);
  }

  static Usage usage(FlavorAssignment option) {
    RoomNeed need = option.need();
    if (need == null) {
      throw new IllegalStateException("no flavors fit");
    }
    return need.usage();
  }

  static Assignment wanted(JobEntry job, FlavorAssignment option, List<String> slices) {
    return new Assignment(job.queue().name(), option.podSets(), slices, option.rung());
  }

  private @Nullable Found earliest(JobEntry job, RoomNeed need) {
    long length = plan.stay(job);
    long start = Ticks.notBefore(state.now());
    SliceStarts slices = need.pool() == null ? null : new SliceStarts(state, job, need);
    for (int step = 0; step < STEPS_MAX && start != Ticks.NEVER; step++) {
      long byQuota = plan.forecast().firstFit(need.usage(), start, length);
      if (byQuota == Ticks.NEVER) {
        return null;
      }
      SliceStarts.Start bySlices =
          slices == null ? new SliceStarts.Start(byQuota, List.of()) : slices.from(byQuota, length);
      if (bySlices == null) {
        return null;
      }
      if (bySlices.at() == byQuota) {
        return new Found(byQuota, bySlices.slices());
      }
      start = bySlices.at();
    }
    return null;
  }

  /**
   * Returns a start without a time: the room is held for the job as it becomes free. Null if it
   * would not suffice beside attempts that do not drain and other planned starts.
   */
  private @Nullable PlannedStart heldFor(JobEntry job, List<FlavorAssignment> options) {
    QuotaUsage staying = new QuotaUsage(state.ledger().tree());
    for (Attempt attempt : state.attempts()) {
      if (attempt.overdue()) {
        attempt.held().addTo(staying);
      }
    }
    List<Promise> outranked = plan.guard().ownAndOutranked(job);
    for (Promise promise : plan.promises()) {
      boolean givesWay = !promise.dated() && outranked.contains(promise);
      if (!promise.job().equals(job) && !givesWay) {
        (promise.dated() ? promise.usage() : plan.guard().held(promise)).addTo(staying);
      }
    }
    for (FlavorAssignment option : options) {
      RoomNeed need = option.need();
      if (need != null && need.pods().isEmpty() && need.usage().fitsQuota(staying)) {
        List<String> slices =
            need.pool() == null ? List.of() : new SliceStarts(state, job, need).afterAll();
        if (slices.size() == need.slices()) {
          boolean firm = true;
          for (int at = 0; at < need.usage().size(); at++) {
            firm &=
                !staying.borrowsWith(
                    need.usage().node(), need.usage().flavorResource(at), need.usage().amount(at));
          }
          return new PlannedStart(null, wanted(job, option, slices), firm);
        }
      }
    }
    return null;
  }
}
