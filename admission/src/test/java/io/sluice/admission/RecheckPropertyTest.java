// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.SnapshotWalk;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.Changes;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.testing.Seeds;
import io.sluice.testing.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** P7: what was decided is decided again from a snapshot and what is recorded. */
class RecheckPropertyTest {
  private static final int ROUNDS = 40;
  private static final EnginePolicy FAIR =
      EnginePolicy.DEFAULT.withFairSharing(FairSharing.DEFAULT);
  private static final EnginePolicy BY_USAGE =
      EnginePolicy.DEFAULT.withAdmissionFairSharing(
          new AdmissionFairSharing(Duration.ofSeconds(15), Duration.ofSeconds(2), new TreeMap<>()));

  /** A round of which something is recorded. */
  private record Recorded(Instant now, List<Input> inputs, List<Event> events) {}

  /** What is recorded of a world, with the snapshots that were taken while it went on. */
  private record History(List<Recorded> rounds, List<StateSnapshot> snapshots) {}

  /** Rounds end early, so that they go on where they stopped. */
  private static History live(SplittableRandom random, RandomWorld world, EnginePolicy policy) {
    AdmissionState state = AdmissionState.restore(StateSnapshot.empty(), policy);
    AdmissionEngine engine = new AdmissionEngine(state);
    VirtualClock clock = new VirtualClock();
    History history = new History(new ArrayList<>(), new ArrayList<>());
    history.snapshots().add(state.snapshot());
    for (int round = 0; round < ROUNDS; round++) {
      List<Input> inputs = round == 0 ? world.setUp() : world.next(state);
      clock.advance(world.pause());
      boolean more = true;
      while (more) {
        AdmissionEngine.Round decided = engine.decide(inputs, clock.now(), EVENTS_MAX);
        if (!inputs.isEmpty() || !decided.events().isEmpty()) {
          state.noteRound(clock.now());
          history.rounds().add(new Recorded(clock.now(), inputs, decided.events()));
          history.snapshots().add(state.snapshot());
        }
        more = decided.more();
        inputs = List.of();
        clock.advance(Duration.ofNanos(1_000L * (1 + random.nextInt(3))));
      }
    }
    return history;
  }

  private static final int EVENTS_MAX = 4;

  private static void check(SplittableRandom random, RandomWorld world, EnginePolicy policy) {
    History history = live(random, world, policy);
    int rounds = history.rounds().size();
    int from = random.nextInt(rounds);
    int decided = from + random.nextInt(rounds - from);
    Recheck recheck = new Recheck(history.snapshots().get(from), policy, EVENTS_MAX);
    for (int at = from; at < rounds; at++) {
      Recorded round = history.rounds().get(at);
      if (at < decided) {
        recheck.replay(round.now(), round.events());
      } else {
        assertThat(recheck.decide(round.now(), round.inputs()))
            .as("round %d from the snapshot after %d", at + 1, from)
            .isEqualTo(round.events());
      }
      assertThat(recheck.snapshot()).isEqualTo(history.snapshots().get(at + 1));
    }
  }

  @Test
  void aPastDecisionComesOutTheSameFromAnySnapshotBeforeIt() {
    Seeds.check(25, random -> check(random, new RandomWorld(random), EnginePolicy.DEFAULT));
  }

  @Test
  void aPastDecisionComesOutTheSameWithFairSharing() {
    Seeds.check(15, random -> check(random, new RandomWorld(random), FAIR));
  }

  @Test
  void aPastDecisionComesOutTheSameWhereQueuesServeByUsage() {
    Seeds.check(15, random -> check(random, RandomWorld.byUsage(random), BY_USAGE));
  }

  @Test
  void aPastDecisionComesOutTheSameWherePodsArePlaced() {
    Seeds.check(
        10, random -> check(random, RandomWorld.withTopologies(random), EnginePolicy.DEFAULT));
  }

  /** As the server takes one: what batches are about to touch is told, the rest is taken later. */
  @Test
  void aSnapshotThatIsTakenWhileRoundsGoOnIsOfTheMomentAtWhichItBegan() {
    AtomicInteger touched = new AtomicInteger();
    Seeds.check(
        25,
        random -> {
          RandomWorld world = new RandomWorld(random);
          AdmissionState live = AdmissionState.restore(StateSnapshot.empty(), FAIR);
          AdmissionState copy = AdmissionState.restore(StateSnapshot.empty(), FAIR);
          VirtualClock clock = new VirtualClock();
          StateSnapshot begun = copy.snapshot();
          SnapshotWalk walk = copy.walk();
          List<SnapshotWalk.Part> parts = new ArrayList<>();
          walk.sort();
          for (int round = 0; round < ROUNDS; round++) {
            List<Input> inputs = round == 0 ? world.setUp() : world.next(live);
            clock.advance(world.pause());
            List<Event> events =
                new AdmissionEngine(live).decide(inputs, clock.now(), 1_000).events();
            Set<JobId> jobs = touched(live.collectChanges());
            touched.addAndGet(jobs.size());
            walk.keep(jobs);
            events.forEach(event -> copy.apply(event, clock.now()));
            copy.noteRound(clock.now());
            copy.advance(clock.now());
            List<SnapshotWalk.Part> next = walk.next(1 + random.nextInt(2));
            parts.addAll(next);
            if (next.isEmpty()) {
              assertThat(together(walk, parts)).isEqualTo(begun);
              parts.clear();
              begun = copy.snapshot();
              walk = copy.walk();
              walk.sort();
            }
          }
        });
    assertThat(touched.get()).isGreaterThan(4_000);
  }

  private static Set<JobId> touched(Changes changes) {
    Set<JobId> jobs = new TreeSet<>();
    changes.jobs().forEach(job -> jobs.add(job.workload().id()));
    changes.attempts().forEach(attempt -> jobs.add(attempt.key().job()));
    return jobs;
  }

  private static StateSnapshot together(SnapshotWalk walk, List<SnapshotWalk.Part> parts) {
    List<JobRecord> jobs = parts.stream().map(SnapshotWalk.Part::job).toList();
    List<AttemptRecord> attempts =
        parts.stream().flatMap(part -> part.attempts().stream()).toList();
    return walk.others().with(jobs, attempts);
  }
}
