// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.LivedRounds.RoundCheck;
import io.sluice.admission.cycle.HeadChoice;
import io.sluice.admission.cycle.HeadChoices;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.invariant.Invariants;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.preemption.VictimSearch;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.scenario.ScenarioRunner;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.Resize;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.StartPolicy;
import io.sluice.testing.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What must hold in every world, whatever comes in. */
class EnginePropertyTest {
  private static final EnginePolicy FAIR =
      EnginePolicy.DEFAULT.withFairSharing(FairSharing.DEFAULT);

  /** Runs a random world; every round checks P1, P2 and P4 by counting from scratch. */
  private static void live(SplittableRandom random, RoundCheck check) {
    live(random, EnginePolicy.DEFAULT, check);
  }

  private static void live(SplittableRandom random, EnginePolicy policy, RoundCheck check) {
    LivedRounds.live(new RandomWorld(random), policy, check);
  }

  /** Runs a world in which pods are placed on hosts. */
  private static void placed(SplittableRandom random, EnginePolicy policy, RoundCheck check) {
    LivedRounds.live(RandomWorld.withTopologies(random), policy, check);
  }

  @Test
  void promisesHoldWherePodsArePlaced() {
    AtomicInteger placed = new AtomicInteger();
    Seeds.check(
        25,
        random ->
            placed(
                random,
                EnginePolicy.DEFAULT,
                (before, inputs, now, events, after) ->
                    after.attempts().stream()
                        .filter(attempt -> !attempt.usage().placed().isEmpty())
                        .forEach(attempt -> placed.incrementAndGet())));
    // Else nothing was tried.
    assertThat(placed.get()).isGreaterThan(400);
    Seeds.check(13, random -> placed(random, FAIR, (before, inputs, now, events, after) -> {}));
  }

  @Test
  void aRestoredStateDecidesTheSameWherePodsArePlaced() {
    Seeds.check(
        10, random -> placed(random, EnginePolicy.DEFAULT, LivedRounds::checkDecidesTheSame));
  }

  @Test
  void aRoundLeavesNothingWherePodsArePlaced() {
    Seeds.check(
        10, random -> placed(random, EnginePolicy.DEFAULT, LivedRounds::checkNothingIsLeft));
  }

  @Test
  void noVictimCanBeSparedWherePodsArePlaced() {
    Seeds.check(
        10, random -> placed(random, EnginePolicy.DEFAULT, EnginePropertyTest::checkVictims));
  }

  /** Runs a world in which slices are cut from cubes and joined of them. */
  private static void formed(SplittableRandom random, EnginePolicy policy, RoundCheck check) {
    LivedRounds.live(RandomWorld.withCubes(random), policy, check);
  }

  @Test
  void promisesHoldWhereSlicesAreFormed() {
    AtomicInteger cut = new AtomicInteger();
    AtomicInteger joined = new AtomicInteger();
    AtomicInteger claimed = new AtomicInteger();
    SortedMap<Resize.Cause, Integer> resized = new TreeMap<>();
    Seeds.check(
        38,
        random ->
            formed(
                random,
                EnginePolicy.DEFAULT,
                (before, inputs, now, events, after) -> {
                  for (Attempt attempt : after.attempts()) {
                    for (String slice : attempt.assignment().slices()) {
                      cut.addAndGet(slice.contains("/") ? 1 : 0);
                      joined.addAndGet(slice.contains(":") ? 1 : 0);
                    }
                  }
                  after.claims().stream()
                      .flatMap(claim -> claim.claim().wanted().slices().stream())
                      .filter(slice -> !after.slices().isOfFleet(slice))
                      .forEach(slice -> claimed.incrementAndGet());
                  for (Event event : events) {
                    if (event instanceof Event.AttemptResized resize
                        && !resize.assignment().slices().stream()
                            .allMatch(after.slices()::isOfFleet)) {
                      resized.merge(resize.resize().cause(), 1, Integer::sum);
                    }
                  }
                }));
    // Else nothing was tried.
    assertThat(cut.get()).isGreaterThan(400);
    assertThat(joined.get()).isGreaterThan(40);
    assertThat(claimed.get()).isGreaterThan(40);
    assertThat(resized).containsOnlyKeys(Resize.Cause.values());
    Seeds.check(8, random -> formed(random, FAIR, (before, inputs, now, events, after) -> {}));
  }

  @Test
  void aRestoredStateDecidesTheSameWhereSlicesAreFormed() {
    Seeds.check(
        10, random -> formed(random, EnginePolicy.DEFAULT, LivedRounds::checkDecidesTheSame));
  }

  @Test
  void aRoundLeavesNothingWhereSlicesAreFormed() {
    Seeds.check(
        10, random -> formed(random, EnginePolicy.DEFAULT, LivedRounds::checkNothingIsLeft));
  }

  @Test
  void noVictimCanBeSparedWhereSlicesAreFormed() {
    Seeds.check(
        15, random -> formed(random, EnginePolicy.DEFAULT, EnginePropertyTest::checkVictims));
  }

  @Test
  void everyPendingJobHasAnExplanationWhereSlicesAreFormed() {
    Seeds.check(
        8, random -> formed(random, EnginePolicy.DEFAULT, EnginePropertyTest::checkExplanations));
  }

  @Test
  void aRestoredStateDecidesTheSameWhereMissedStartsCostThePlace() {
    StartPolicy behind =
        new StartPolicy(
            Duration.ofSeconds(2), true, Duration.ofSeconds(1), Duration.ofSeconds(4), true, null);
    EnginePolicy policy = EnginePolicy.DEFAULT.withStarts(behind);
    Seeds.check(10, random -> live(random, policy, LivedRounds::checkDecidesTheSame));
  }

  @Test
  void promisesHoldWithFairSharingToo() {
    Seeds.check(38, random -> live(random, FAIR, (before, inputs, now, events, after) -> {}));
  }

  @Test
  void aRestoredStateDecidesTheSameWithFairSharing() {
    Seeds.check(10, random -> live(random, FAIR, LivedRounds::checkDecidesTheSame));
  }

  @Test
  void noVictimCanBeSparedWithFairSharing() {
    Seeds.check(20, random -> live(random, FAIR, EnginePropertyTest::checkVictims));
  }

  @Test
  void promisesHoldWhateverComesIn() {
    Seeds.check(50, random -> live(random, (before, inputs, now, events, after) -> {}));
  }

  @Test
  void aRestoredStateRemembersTheSame() {
    Seeds.check(
        15,
        random ->
            live(
                random,
                (before, inputs, now, events, after) ->
                    assertThat(AdmissionState.restore(after.snapshot()).snapshot())
                        .isEqualTo(after.snapshot())));
  }

  /** An administrator took the flavor's quota away while work held it. */
  @Test
  void whatNoQuotaNamesAnyMoreIsCountedAgain() {
    ScenarioRunner scenario = new ScenarioRunner();
    scenario.run(
        """
        queue q nominal cpu 4
        job   train queue q cpu 3
        round
        expect train admitted default
        queue q nominal v6e 16
        round
        """);
    StateSnapshot snapshot = scenario.world().state().snapshot();
    AdmissionState restored = AdmissionState.restore(snapshot);
    assertThat(restored.snapshot()).isEqualTo(snapshot);
    assertThat(Invariants.violations(restored)).isEmpty();
  }

  /** All indexes are made anew in a restored state; its decisions are the same to the last. */
  @Test
  void aRestoredStateDecidesTheSame() {
    Seeds.check(15, random -> live(random, LivedRounds::checkDecidesTheSame));
  }

  /** An admission lets somebody evict who was parked in the one state and not yet in the other. */
  @Test
  void whoWasParkedBeforeTheRoundIsTriedWhenTheOthersAre() {
    Seeds.check(804L, random -> live(random, LivedRounds::checkDecidesTheSame));
  }

  /** Who is left out has no prospect, who is foreseen fits: trying everybody decides the same. */
  @Test
  void tryingEverybodyDecidesTheSame() {
    Seeds.check(25, random -> live(random, EnginePropertyTest::checkEverybody));
  }

  @Test
  void tryingEverybodyDecidesTheSameWithFairSharing() {
    Seeds.check(15, random -> live(random, FAIR, EnginePropertyTest::checkEverybody));
  }

  @Test
  void tryingEverybodyDecidesTheSameWherePodsArePlaced() {
    Seeds.check(
        8, random -> placed(random, EnginePolicy.DEFAULT, EnginePropertyTest::checkEverybody));
  }

  private static void checkEverybody(
      StateSnapshot before,
      List<Input> inputs,
      Instant now,
      List<Event> events,
      AdmissionState after) {
    checkAnother(before, inputs, now, events, after, HeadChoices.TRYING_EVERYBODY);
  }

  /** Who is foreseen to fit does, in the same order, and gets the same. */
  @Test
  void nominatingEveryHeadDecidesTheSame() {
    for (EnginePolicy policy : List.of(EnginePolicy.DEFAULT, FAIR)) {
      Seeds.check(15, random -> live(random, policy, EnginePropertyTest::checkNominating));
      Seeds.check(
          15,
          random ->
              LivedRounds.live(
                  RandomWorld.wide(random), policy, EnginePropertyTest::checkNominating));
      Seeds.check(
          15,
          random ->
              LivedRounds.live(
                  RandomWorld.wideWithoutLadders(random),
                  policy,
                  EnginePropertyTest::checkNominating));
      Seeds.check(8, random -> placed(random, policy, EnginePropertyTest::checkNominating));
    }
  }

  private static void checkNominating(
      StateSnapshot before,
      List<Input> inputs,
      Instant now,
      List<Event> events,
      AdmissionState after) {
    checkAnother(before, inputs, now, events, after, HeadChoices.NOMINATING);
  }

  private static void checkAnother(
      StateSnapshot before,
      List<Input> inputs,
      Instant now,
      List<Event> events,
      AdmissionState after,
      HeadChoice choice) {
    if (before.lastRoundAt() != null) {
      AdmissionState restored = AdmissionState.restore(before, after.policy());
      AdmissionEngine another = new AdmissionEngine(restored, choice);
      assertThat(another.decide(inputs, now, LivedRounds.EVENTS_MAX).events()).isEqualTo(events);
    }
  }

  /** Parking forgets nobody: a state in which nothing is parked finds nothing more to decide. */
  @Test
  void aRoundLeavesNothingThatCouldBeDecided() {
    Seeds.check(15, random -> live(random, LivedRounds::checkNothingIsLeft));
  }

  @Test
  void aRoundLeavesNothingThatCouldBeDecidedWithFairSharing() {
    Seeds.check(10, random -> live(random, FAIR, LivedRounds::checkNothingIsLeft));
  }

  /** P6. */
  @Test
  void everyPendingJobHasAnExplanation() {
    Seeds.check(15, random -> live(random, EnginePropertyTest::checkExplanations));
  }

  @Test
  void everyPendingJobHasAnExplanationWithFairSharing() {
    Seeds.check(10, random -> live(random, FAIR, EnginePropertyTest::checkExplanations));
  }

  private static void checkExplanations(
      StateSnapshot before,
      List<Input> inputs,
      Instant now,
      List<Event> events,
      AdmissionState after) {
    StateSnapshot unexplained = after.snapshot();
    for (JobEntry job : after.jobs()) {
      if (job.state() == JobState.PENDING) {
        assertThat(new Explainer(after).explain(job)).as("%s", job).isPresent();
      }
    }
    assertThat(after.snapshot()).isEqualTo(unexplained);
  }

  /** Waiting is not holding: what is sought fits beside everything that is used and claimed. */
  @Test
  void neverMoreIsSoughtThanCouldBeUsed() {
    List<Integer> waiting = new ArrayList<>();
    Seeds.check(
        25,
        random ->
            live(
                random,
                (before, inputs, now, events, after) -> {
                  waiting.add(after.ladders().waiting().size());
                  for (JobEntry job : after.ladders().waiting()) {
                    Map<Integer, Long> sums = new TreeMap<>();
                    List<Usage> ahead = after.ladders().soughtBefore(job);
                    for (Usage own : after.ladders().soughtBy(job)) {
                      sums.clear();
                      add(sums, own);
                      ahead.forEach(usage -> add(sums, usage));
                      assertThat(after.ledger().fits(Usage.of(own.node(), only(sums, own))))
                          .as("%s", job)
                          .isTrue();
                    }
                  }
                }));
    assertThat(waiting).anyMatch(count -> count > 2);
  }

  private static void add(Map<Integer, Long> sums, Usage usage) {
    for (int at = 0; at < usage.size(); at++) {
      sums.merge(usage.flavorResource(at), usage.amount(at), Long::sum);
    }
  }

  private static Map<Integer, Long> only(Map<Integer, Long> sums, Usage usage) {
    Map<Integer, Long> some = new TreeMap<>();
    for (int at = 0; at < usage.size(); at++) {
      some.put(usage.flavorResource(at), sums.getOrDefault(usage.flavorResource(at), 0L));
    }
    return some;
  }

  /** Every way in which capacity comes and goes is taken in some world. */
  @Test
  void capacityComesAndGoes() {
    Set<String> seen = new TreeSet<>();
    Seeds.check(
        15,
        random ->
            live(
                random,
                (before, inputs, now, events, after) ->
                    events.forEach(
                        event ->
                            seen.add(
                                event instanceof Event.AttemptDraining draining
                                    ? draining.drain().cause().name()
                                    : event.getClass().getSimpleName()))));
    assertThat(seen)
        .contains(
            "RungOpened",
            "RungPaused",
            "RungClosed",
            "RungLeft",
            "LEASE_END",
            "SlicesGranted",
            "GrantRefused",
            "SlicesPassedOn",
            "SlicesReleased",
            "SliceLeaving",
            "SliceLost",
            "SliceReturned");
  }

  /** P8: of the victims found for anybody who waits, none can be put back. */
  @Test
  void noVictimCanBeSpared() {
    List<Integer> sizes = new ArrayList<>();
    Seeds.check(
        50,
        random ->
            live(
                random,
                (before, inputs, now, events, after) ->
                    events.forEach(
                        event -> {
                          if (event instanceof Event.Claimed claimed) {
                            sizes.add(claimed.claim().victims().size());
                          }
                        })));
    assertThat(sizes).anyMatch(size -> size > 1);
    Seeds.check(50, random -> live(random, EnginePropertyTest::checkVictims));
  }

  static void checkVictims(
      StateSnapshot before,
      List<Input> inputs,
      Instant now,
      List<Event> events,
      AdmissionState after) {
    if (before.lastRoundAt() == null) {
      return;
    }
    AdmissionState state = AdmissionState.restore(before, after.policy());
    VictimSearch search = new VictimSearch(state);
    for (JobEntry job : state.jobs()) {
      if (job.nextIndex(state.now()).isEmpty() || !state.admits(job.workload().queue())) {
        continue;
      }
      FlavorAssignment assignment = new FlavorAssigner(state, search).assign(job);
      if (assignment.mode() == AssignmentMode.PREEMPT && assignment.need() != null) {
        search
            .find(job, assignment.need())
            .ifPresent(victims -> checkNoneToSpare(state, assignment, victims));
      }
    }
  }

  /** The search tries with and without borrowing; the victims are minimal for one of the two. */
  private static void checkNoneToSpare(
      AdmissionState state, FlavorAssignment assignment, Victims victims) {
    assertThat(
            minimal(state, assignment, victims, true) || minimal(state, assignment, victims, false))
        .as("victims %s", victims.attempts())
        .isTrue();
  }

  private static boolean minimal(
      AdmissionState state, FlavorAssignment assignment, Victims victims, boolean borrowing) {
    boolean minimal = without(state, assignment, victims, -1).enough(borrowing);
    for (int spared = 0; spared < victims.attempts().size(); spared++) {
      minimal &= !without(state, assignment, victims, spared).enough(borrowing);
    }
    return minimal;
  }

  private static NaiveRoom without(
      AdmissionState state, FlavorAssignment assignment, Victims victims, int spared) {
    NaiveRoom room = new NaiveRoom(state, assignment);
    for (int taken = 0; taken < victims.attempts().size(); taken++) {
      if (taken != spared) {
        room.free(victims.attempts().get(taken).attempt());
      }
    }
    victims.claims().forEach(room::free);
    return room;
  }
}
