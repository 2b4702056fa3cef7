// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.Journal;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.SnapshotWalk;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.job.JobPlace;
import io.sluice.testing.Seeds;
import io.sluice.testing.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Copies of the committed state are made while batches go on coming. */
class CommittedViewTest {
  private static final int EVENTS_MAX = 1_000;

  /** An engine whose batches a view takes in. */
  private static final class Life {
    final CommittedView view = new CommittedView();
    private final AdmissionState state =
        AdmissionState.restore(StateSnapshot.empty(), EnginePolicy.DEFAULT);
    private final AdmissionEngine engine = new AdmissionEngine(state);
    private final VirtualClock clock = new VirtualClock();
    private final RandomWorld world;
    private final List<List<Event>> decided = new ArrayList<>();
    private long sequence;

    Life(SplittableRandom random) {
      world = new RandomWorld(random);
      decide(world.setUp());
    }

    void goOn() {
      decide(world.next(state));
    }

    private void decide(List<Input> inputs) {
      clock.advance(Duration.ofSeconds(1));
      AdmissionEngine.Round round = engine.decide(inputs, clock.now(), EVENTS_MAX);
      state.noteRound(clock.now());
      sequence++;
      decided.add(round.events());
      view.apply(
          new Journal.Batch(
              sequence, clock.now(), List.of(), round.events(), state.collectChanges()));
    }
  }

  /** Takes a copy in the smallest parts, with a batch after each. */
  private static StateSnapshot copyBetweenBatches(Life life) {
    SnapshotWalk walk = life.view.walk().value();
    walk.sort();
    List<JobRecord> jobs = new ArrayList<>();
    List<AttemptRecord> attempts = new ArrayList<>();
    List<SnapshotWalk.Part> parts = life.view.next(walk, 1);
    while (!parts.isEmpty()) {
      for (SnapshotWalk.Part part : parts) {
        jobs.add(part.job());
        attempts.addAll(part.attempts());
      }
      life.goOn();
      parts = life.view.next(walk, 1);
    }
    life.view.endWalk(walk);
    return walk.others().with(jobs, attempts);
  }

  @Test
  void twoCopiesAtOnceAreEachWhatTheStateWasWhenTheyBegan() {
    Seeds.check(
        30,
        random -> {
          Life life = new Life(random);
          for (int batch = 0; batch < 20; batch++) {
            life.goOn();
          }
          StateSnapshot first = life.view.ask(AdmissionState::snapshot).value();
          SnapshotWalk other = life.view.walk().value();
          assertThat(copyBetweenBatches(life)).isEqualTo(first);
          other.sort();
          List<JobRecord> jobs = new ArrayList<>();
          List<AttemptRecord> attempts = new ArrayList<>();
          for (SnapshotWalk.Part part : life.view.next(other, Integer.MAX_VALUE)) {
            jobs.add(part.job());
            attempts.addAll(part.attempts());
          }
          assertThat(other.others().with(jobs, attempts)).isEqualTo(first);
        });
  }

  @Test
  void aCopyIsTheSnapshotWithTheSequenceOfItsBatch() {
    Life life = new Life(new SplittableRandom(7));
    for (int batch = 0; batch < 50; batch++) {
      life.goOn();
    }
    CommittedView.Answer<StateSnapshot> copy = life.view.copy();
    assertThat(copy.value()).isEqualTo(life.view.ask(AdmissionState::snapshot).value());
    assertThat(copy.sequence()).isEqualTo(life.view.sequence());
  }

  /** Keeps what a view tells, and checks that a job is always at the same place. */
  private static final class Told implements BatchListener {
    private final Life life;
    private final Map<JobId, JobPlace> places = new TreeMap<>();
    private long reached;
    private int events;

    Told(Life life) {
      this.life = life;
    }

    @Override
    public boolean wantsEvents() {
      return true;
    }

    @Override
    public void tookIn(long sequence, Instant decidedAt, @Nullable List<PlacedEvent> placed) {
      assertThat(sequence).isEqualTo(reached + 1);
      reached = sequence;
      if (placed == null) {
        return;
      }
      assertThat(placed.stream().map(PlacedEvent::event).toList())
          .isEqualTo(life.decided.get((int) sequence - 1));
      for (PlacedEvent one : placed) {
        JobId job = one.event().job();
        if (job != null) {
          assertThat(one.place()).isNotNull();
          assertThat(places.getOrDefault(job, one.place())).isEqualTo(one.place());
          places.put(job, one.place());
        }
      }
      events += placed.size();
    }

    @Override
    public void loaded(long lastSequence) {
      reached = lastSequence;
    }
  }

  @Test
  void aListenerIsGivenEachBatchWithTheQueuesOfItsJobs() {
    Seeds.check(
        20,
        random -> {
          Life life = new Life(random);
          Told told = new Told(life);
          life.view.listen(told);
          assertThat(told.reached).isEqualTo(1);
          for (int batch = 0; batch < 40; batch++) {
            life.goOn();
          }
          assertThat(told.reached).isEqualTo(life.view.sequence());
          assertThat(told.events).isPositive();
          assertThat(told.places).isNotEmpty();
        });
  }
}
