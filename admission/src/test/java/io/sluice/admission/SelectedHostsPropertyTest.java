// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Hosts of slices have random labels and taints, which no flavor names; jobs select them. */
class SelectedHostsPropertyTest {
  private static void live(int seeds, LivedRounds.RoundCheck check) {
    Seeds.check(
        seeds,
        random -> LivedRounds.live(RandomWorld.withSelectors(random), EnginePolicy.DEFAULT, check));
  }

  /** Slices that are given or claimed anew; what was given before may have been labelled anew. */
  @Test
  void everyHostThatIsGivenMeetsTheRequirementsOfThePods() {
    AtomicInteger selecting = new AtomicInteger();
    AtomicInteger resized = new AtomicInteger();
    AtomicInteger claimed = new AtomicInteger();
    live(
        30,
        (before, inputs, now, events, after) -> {
          for (Event event : events) {
            if (event instanceof Event.Admitted admitted) {
              Attempt attempt = after.findAttempt(admitted.attempt());
              selecting.addAndGet(attempt == null ? 0 : checked(after, attempt, List.of()));
            } else if (event instanceof Event.AttemptResized resize) {
              Attempt attempt = after.findAttempt(resize.attempt());
              resized.addAndGet(
                  attempt == null ? 0 : checked(after, attempt, held(before, attempt)));
            } else if (event instanceof Event.Claimed made) {
              ClaimState claim = after.findClaim(made.claim().holder());
              claimed.addAndGet(claim == null ? 0 : checked(after, claim));
            }
          }
        });
    // Else nothing was tried.
    assertThat(selecting.get()).isGreaterThan(200);
    assertThat(resized.get()).isGreaterThan(20);
    assertThat(claimed.get()).isGreaterThan(20);
  }

  private static List<String> held(StateSnapshot before, Attempt attempt) {
    Attempt then = AdmissionState.restore(before).findAttempt(attempt.key());
    return then == null ? List.of() : then.assignment().slices();
  }

  private static int checked(AdmissionState state, Attempt attempt, List<String> kept) {
    List<String> fresh = new ArrayList<>(attempt.assignment().slices());
    fresh.removeAll(kept);
    return checked(state, attempt.job(), fresh);
  }

  private static int checked(AdmissionState state, ClaimState claim) {
    Assignment wanted = claim.claim().wanted();
    return checked(state, claim.job(), wanted.slices());
  }

  private static int checked(AdmissionState state, JobEntry job, List<String> slices) {
    WorkloadShape shape = job.workload().shape();
    Set<String> closed = NaiveSlices.closedTo(state.fleet(), shape);
    for (String name : slices) {
      Slice slice = Objects.requireNonNull(state.slices().find(name), name);
      assertThat(slice.hosts()).as("%s on %s", job, name).noneMatch(closed::contains);
    }
    return slices.isEmpty() || closed.isEmpty() ? 0 : 1;
  }

  /** The number of slices that could be given is that of a search over all hosts. */
  @Test
  void asManySlicesCanBeGivenAsASearchOfAllHostsFinds() {
    AtomicInteger some = new AtomicInteger();
    AtomicInteger fewer = new AtomicInteger();
    live(
        5,
        (before, inputs, now, events, after) -> {
          for (JobEntry job : after.jobs()) {
            WorkloadShape shape = job.workload().shape();
            if (shape.accelerator() != null) {
              SlicePool pool =
                  SlicePool.of(shape.accelerator().type().equals("v6e") ? "v6e" : "cubes", shape);
              Set<String> taken = taken(after);
              int unselected = NaiveSlices.most(after, pool, job.id(), taken, Set.of());
              Set<String> closed = NaiveSlices.closedTo(after.fleet(), shape);
              int naive = NaiveSlices.most(after, pool, job.id(), taken, closed);
              assertThat(after.slices().countFree(pool, job.id())).as("%s", pool).isEqualTo(naive);
              assertThat(after.slices().outlook(pool, job.id()).count()).isEqualTo(naive);
              assertThat(after.slices().free(pool, naive + 1, job.id())).hasSize(naive);
              some.addAndGet(naive > 0 ? 1 : 0);
              fewer.addAndGet(naive < unselected ? 1 : 0);
            }
          }
        });
    assertThat(some.get()).isGreaterThan(40);
    assertThat(fewer.get()).isGreaterThan(40);
  }

  private static Set<String> taken(AdmissionState state) {
    Set<String> taken = new TreeSet<>();
    // An attempt that was resized holds what it let go of until it is settled.
    state.slices().all().forEach(slice -> taken.addAll(state.slices().heldOn(slice.name())));
    state.claims().forEach(claim -> taken.addAll(claim.claim().wanted().slices()));
    return taken;
  }

  @Test
  void noVictimCanBeSpared() {
    live(5, EnginePropertyTest::checkVictims);
  }

  @Test
  void aRestoredStateDecidesTheSame() {
    live(5, LivedRounds::checkDecidesTheSame);
  }

  @Test
  void aRoundLeavesNothingThatCouldBeDecided() {
    live(5, LivedRounds::checkNothingIsLeft);
  }
}
