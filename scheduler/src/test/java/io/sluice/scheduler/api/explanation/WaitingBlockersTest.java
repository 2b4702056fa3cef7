// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.explain.Blocker;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.RandomDates;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.testing.Seeds;
import io.sluice.testing.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The blockers of many jobs by kinds are those of each job by itself. */
class WaitingBlockersTest {
  private static final int EVENTS_MAX = 10_000;

  private static List<@Nullable Blocker> byThemselves(AdmissionState state, List<JobEntry> jobs) {
    List<@Nullable Blocker> blockers = new ArrayList<>();
    for (JobEntry job : jobs) {
      blockers.add(new Explainer(state).explain(job).map(Explanation::blocker).orElse(null));
    }
    return blockers;
  }

  private static List<@Nullable Blocker> inPortions(AdmissionState state, List<JobEntry> jobs) {
    List<JobId> ids = jobs.stream().map(JobEntry::id).toList();
    List<@Nullable Blocker> blockers = new ArrayList<>();
    while (blockers.size() < ids.size()) {
      List<@Nullable Blocker> some =
          WaitingBlockers.portion(
              state, new PageExplanations(state), ids.subList(blockers.size(), ids.size()));
      assertThat(some).isNotEmpty().hasSizeLessThanOrEqualTo(WaitingBlockers.JOBS_AT_ONCE);
      blockers.addAll(some);
    }
    return blockers;
  }

  /** The jobs as {@code JobCounter#waiting} returns them. */
  private static List<JobEntry> byKind(AdmissionState state) {
    List<JobEntry> jobs = new ArrayList<>(state.jobs());
    jobs.sort(
        Comparator.<JobEntry, QueueKey>comparing(job -> job.workload().queue())
            .thenComparing(JobEntry::shapeNumber)
            .thenComparing(JobEntry::id));
    return jobs;
  }

  private static void check(
      Function<SplittableRandom, RandomWorld> worlds, boolean dated, int seeds, Set<Blocker> seen) {
    Seeds.check(
        seeds,
        random -> {
          RandomWorld world = worlds.apply(random);
          RandomDates dates = new RandomDates(random.split());
          AdmissionState state =
              AdmissionState.restore(StateSnapshot.empty(), EnginePolicy.DEFAULT);
          AdmissionEngine engine = new AdmissionEngine(state);
          VirtualClock clock = new VirtualClock();
          List<Input> inputs = world.setUp();
          for (int round = 0; round < 30; round++) {
            clock.advance(Duration.ofSeconds(1));
            engine.decide(inputs, clock.now(), EVENTS_MAX);
            for (List<JobEntry> jobs : List.of(byKind(state), List.copyOf(state.jobs()))) {
              List<@Nullable Blocker> expected = byThemselves(state, jobs);
              assertThat(inPortions(state, jobs)).isEqualTo(expected);
              expected.stream().filter(blocker -> blocker != null).forEach(seen::add);
            }
            inputs = new ArrayList<>(world.next(state));
            if (dated) {
              inputs.addAll(dates.next(state.now(), state.fleet().slices()));
            }
          }
        });
  }

  @Test
  void theBlockersOfAllJobsAreThoseOfEachByItself() {
    Set<Blocker> seen = EnumSet.noneOf(Blocker.class);
    check(RandomWorld::new, false, 12, seen);
    assertThat(seen)
        .contains(
            Blocker.QUOTA_IN_USE, Blocker.SLICES_IN_USE, Blocker.BEHIND_OTHERS, Blocker.BACKOFF);
  }

  @Test
  void theyAreAlsoWithPlannedStarts() {
    Set<Blocker> seen = EnumSet.noneOf(Blocker.class);
    check(RandomWorld::withPlannedQueues, false, 6, seen);
    check(RandomWorld::withRankings, false, 6, seen);
    assertThat(seen).contains(Blocker.PLANNED_STARTS);
  }

  @Test
  void theyAreAlsoWithBookingsAndOutages() {
    Set<Blocker> seen = EnumSet.noneOf(Blocker.class);
    check(RandomWorld::new, true, 6, seen);
    check(RandomWorld::withPlannedQueues, true, 6, seen);
    assertThat(seen).contains(Blocker.DATED_CAPACITY);
  }

  @Test
  void theyAreAlsoWithSlicesOfManyShapesAndSelectors() {
    Set<Blocker> seen = EnumSet.noneOf(Blocker.class);
    check(RandomWorld::withCubes, false, 5, seen);
    check(RandomWorld::withSelectors, false, 5, seen);
    assertThat(seen).contains(Blocker.SLICES_SCATTERED);
  }
}
