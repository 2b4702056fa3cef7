// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.plan.PlanCheck;
import io.sluice.admission.policy.EndAllowances;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.scenario.RandomDates;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.FlavorAmounts;
import io.sluice.queuemodel.quota.Outage;
import io.sluice.testing.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What must hold of bookings and outages, whatever comes in. */
class BookingsPropertyTest {
  private static final EnginePolicy EXACT =
      EnginePolicy.DEFAULT.withEnds(new EndAllowances(true, Duration.ZERO));

  private static final long[] AMOUNTS = {1, 16, 48, 1_000, 3_000, 6_000};

  private static void live(
      SplittableRandom random, EnginePolicy policy, LivedRounds.RoundCheck check) {
    RandomWorld world =
        random.nextBoolean() ? RandomWorld.withPlannedQueues(random) : new RandomWorld(random);
    RandomDates dates = new RandomDates(random.split());
    LivedRounds.live(
        world, state -> dates.next(state.now(), state.fleet().slices()), policy, check);
  }

  @Test
  void whatIsNotPreemptibleCrossesNothingWhenItIsAdmitted() {
    AtomicInteger checked = new AtomicInteger();
    AtomicInteger drained = new AtomicInteger();
    Seeds.check(
        38,
        random ->
            live(
                random,
                EXACT,
                (before, inputs, now, events, after) -> {
                  for (Event event : events) {
                    if (event instanceof Event.AttemptDraining draining) {
                      Drain drain = draining.drain();
                      drained.addAndGet(drain.cause() == DrainCause.DATED ? 1 : 0);
                    }
                    if (event instanceof Event.Admitted admitted) {
                      Attempt attempt = after.findAttempt(admitted.attempt());
                      if (attempt != null && !isPreemptible(attempt)) {
                        checked.addAndGet(new Crossing(after, now).check(attempt));
                      }
                    }
                  }
                }));
    // Else nothing was tried.
    assertThat(checked.get()).isGreaterThan(200);
    assertThat(drained.get()).isGreaterThan(40);
  }

  @Test
  void preemptibleWorkHasLeftWhenNothingMayUseWhatIsAbsent() {
    AtomicInteger checked = new AtomicInteger();
    Seeds.check(
        25,
        random ->
            live(
                random,
                EXACT,
                (before, inputs, now, events, after) ->
                    checked.addAndGet(checkPreemptible(after, now))));
    assertThat(checked.get()).isGreaterThan(40);
  }

  @Test
  void theForecastFollowsEveryChange() {
    Seeds.check(
        8,
        random ->
            live(
                random,
                EXACT,
                (before, inputs, now, events, after) -> {
                  AdmissionState restored = AdmissionState.restore(after.snapshot(), EXACT);
                  for (QueueState queue : after.queues()) {
                    for (int number = 0; number < numbers(after).size(); number++) {
                      for (int second = 0; second < 120; second += 3) {
                        long at = Ticks.of(now.plusSeconds(second));
                        for (long amount : AMOUNTS) {
                          assertThat(fits(after, queue.node(), number, amount, at))
                              .as("%s %d of %d at %d", queue.name(), amount, number, second)
                              .isEqualTo(fits(restored, queue.node(), number, amount, at));
                        }
                      }
                    }
                  }
                }));
  }

  private static boolean fits(AdmissionState state, int node, int number, long amount, long at) {
    return state.plan().forecast().fits(node, number, amount, at, at + 1);
  }

  @Test
  void aRestoredStateDecidesTheSame() {
    Seeds.check(15, random -> live(random, EXACT, LivedRounds::checkDecidesTheSame));
  }

  @Test
  void aRoundLeavesNothing() {
    Seeds.check(15, random -> live(random, EXACT, LivedRounds::checkNothingIsLeft));
  }

  @Test
  void aRoundLeavesEachPlannedStartAsASearchFindsIt() {
    Seeds.check(
        15,
        random ->
            live(
                random,
                EXACT,
                (before, inputs, now, events, after) ->
                    assertThat(PlanCheck.faults(after)).as("after %s", events).isEmpty()));
  }

  private static boolean isPreemptible(Attempt attempt) {
    return attempt.job().workload().priority().preemptible();
  }

  /** Counts the outages in which preemptible attempts may use something. */
  private static int checkPreemptible(AdmissionState state, Instant now) {
    int checked = 0;
    for (DatedObject dated : state.objects().dated()) {
      if (dated instanceof Outage outage && contains(outage, now)) {
        for (int number = 0; number < numbers(state).size(); number++) {
          Crossing there = new Crossing(state, now);
          long absent = there.absent(number, now);
          if (absent > 0) {
            long most = Math.max(0, there.total(number) - absent);
            long used = there.used(number, now, attempt -> !attempt.draining());
            long fillers =
                there.used(number, now, attempt -> !attempt.draining() && isPreemptible(attempt));
            assertThat(used <= most || fillers == 0)
                .as("%s: %d used of %d, %d by fillers", outage, used, most, fillers)
                .isTrue();
            checked++;
          }
        }
      }
    }
    return checked;
  }

  private static boolean contains(DatedObject dated, Instant time) {
    return !dated.period().from().isAfter(time) && dated.period().until().isAfter(time);
  }

  private static FlavorResources numbers(AdmissionState state) {
    return state.ledger().tree().flavorResources();
  }

  /** Counts usage at single times, without the forecast. */
  private record Crossing(AdmissionState state, Instant now) {
    /** Checks an attempt that was admitted; returns the number of times that were compared. */
    int check(Attempt attempt) {
      int checked = 0;
      for (DatedObject dated : state.objects().dated()) {
        Instant from = dated.period().from().isAfter(now) ? dated.period().from() : now;
        if (dated.period().until().isAfter(from) && lasts(attempt, from)) {
          checkQuota(attempt, dated, from);
          checkSlices(attempt, dated);
          checked++;
        }
      }
      return checked;
    }

    private void checkSlices(Attempt attempt, DatedObject dated) {
      boolean own =
          dated instanceof Booking booking
              && booking.clusterQueue().equals(attempt.job().queue().name());
      List<String> kept = new ArrayList<>();
      state.fleet().slices().stream().filter(dated::means).forEach(slice -> kept.add(slice.name()));
      assertThat(!own && state.slices().overlap(kept, attempt.heldSlices()))
          .as("%s on slices of %s", attempt.key(), dated)
          .isFalse();
    }

    private void checkQuota(Attempt attempt, DatedObject dated, Instant time) {
      QuotaTree tree = state.ledger().tree();
      for (int at = 0; at < attempt.held().size(); at++) {
        int number = attempt.held().flavorResource(at);
        long absent = absent(number, time);
        if (attempt.held().amount(at) > 0 && absent > 0) {
          assertThat(usedByAll(number, time))
              .as("%s at %s beside %s", attempt.key(), time, dated)
              .isLessThanOrEqualTo(Math.max(0, total(number) - absent));
        }
        int node = attempt.held().node();
        while (attempt.held().amount(at) > 0 && tree.hasParent(node)) {
          // Within its local quota it concerns nobody above.
          if (counted(node, number, time) == 0 || booked(node, number, time) > 0) {
            break;
          }
          node = tree.parent(node);
          assertThat(used(node, number, time))
              .as("%s at %s in %s beside %s", attempt.key(), time, tree.name(node), dated)
              .isLessThanOrEqualTo(tree.usageLimit(node, number));
        }
      }
    }

    private static boolean lasts(Attempt attempt, Instant time) {
      Instant end = attempt.latestEnd(EXACT.ends());
      return end == null || end.isAfter(time);
    }

    long total(int number) {
      QuotaTree tree = state.ledger().tree();
      long total = 0;
      for (int node = 0; node < tree.size(); node++) {
        total += tree.hasParent(node) ? 0 : tree.subtreeQuota(node, number);
      }
      return total;
    }

    long absent(int number, Instant time) {
      long absent = 0;
      for (DatedObject dated : state.objects().dated()) {
        if (dated instanceof Outage && contains(dated, time)) {
          absent += amount(dated, number);
        }
      }
      return absent;
    }

    private long amount(DatedObject dated, int number) {
      FlavorResources.Pair pair = numbers(state).pair(number);
      for (FlavorAmounts its : dated.quota()) {
        if (its.flavor().equals(pair.flavor())) {
          return its.amounts().isEmpty() ? total(number) : its.amounts().get(pair.resource());
        }
      }
      return 0;
    }

    private long booked(int node, int number, Instant time) {
      long booked = 0;
      for (DatedObject dated : state.objects().dated()) {
        if (dated instanceof Booking booking
            && contains(dated, time)
            && state.ledger().tree().node(booking.clusterQueue()) == node) {
          booked += amount(dated, number);
        }
      }
      return booked;
    }

    long used(int number, Instant time, Predicate<Attempt> which) {
      long used = 0;
      for (Attempt attempt : state.attempts()) {
        if (which.test(attempt) && lasts(attempt, time)) {
          used += attempt.held().amountOf(number);
        }
      }
      return used;
    }

    private long usedByAll(int number, Instant time) {
      QuotaTree tree = state.ledger().tree();
      long used = 0;
      for (int node = 0; node < tree.queues(); node++) {
        used += used(node, number, time);
      }
      return used;
    }

    private long used(int node, int number, Instant time) {
      QuotaTree tree = state.ledger().tree();
      if (tree.isQueue(node)) {
        return used(
            number, time, attempt -> attempt.held().node() == node && !isPreemptible(attempt));
      }
      long used = 0;
      for (int child : tree.children(node)) {
        used += counted(child, number, time);
      }
      return used;
    }

    /** What a node uses, or has booked, of its parent's quota. */
    private long counted(int node, int number, Instant time) {
      long most = Math.max(used(node, number, time), booked(node, number, time));
      return Math.max(0, most - state.ledger().tree().localQuota(node, number));
    }
  }
}
