// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.invariant.Invariants;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.testing.Seeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A preview says what the engine then does, in every world. */
class PreviewPropertyTest {
  private static final int ROUNDS = 30;
  private static final int EVERY = 5;
  private static final int SETTLED_WITHIN = 100;
  private static final int EVENTS_MAX = 100_000;

  /** What was seen over all seeds, so that a test of nothing is noticed. */
  private final TreeMap<String, Integer> seen = new TreeMap<>();

  /** A state after rounds that were really made, and who was told to end in them. */
  private record Made(AdmissionState state, TreeSet<AttemptKey> told) {
    Made(AdmissionState state) {
      this(state, new TreeSet<>());
    }

    /** Decides until nothing more comes; what is told to end is gone at once. */
    void settle(List<Input> inputs, Function<List<Input>, List<Event>> round) {
      List<Event> events = round.apply(inputs);
      for (int number = 0; number < SETTLED_WITHIN; number++) {
        for (Event event : events) {
          if (event instanceof Event.AttemptDraining draining) {
            told.add(draining.attempt());
          }
        }
        List<Input> gone = new ArrayList<>();
        for (Attempt attempt : state.attempts()) {
          if (attempt.draining()) {
            gone.add(report(attempt, AttemptReport.Kind.DRAINED));
          } else if (!attempt.settled()) {
            gone.add(report(attempt, AttemptReport.Kind.STARTED));
          }
        }
        if (events.isEmpty() && gone.isEmpty()) {
          return;
        }
        events = round.apply(gone);
      }
      throw new AssertionError("the rounds do not end");
    }

    private static Input report(Attempt attempt, AttemptReport.Kind kind) {
      return new Input.Report(
          new AttemptReport(attempt.key(), attempt.generation(), kind, null, ""));
    }

    int admitted(JobId id) {
      JobEntry job = state.findJob(id);
      return job == null ? 0 : job.live().size();
    }
  }

  @Test
  void aPreviewIsWhatTheEngineThenDoes() {
    Seeds.check(60, this::live);

    assertThat(seen.keySet()).containsExactly("evictions", "excesses", "gains", "waits");
    assertThat(seen.values()).allSatisfy(count -> assertThat(count).isGreaterThan(20));
  }

  private void live(SplittableRandom random) {
    World world = new World();
    RandomWorld inputs = RandomWorld.withoutLadders(random);
    inputs.setUp().forEach(world::input);
    for (int round = 0; round < ROUNDS; round++) {
      inputs.next(world.state()).forEach(world::input);
      world.clock().advance(inputs.pause());
      world.round();
      if (round % EVERY == EVERY - 1) {
        check(world, inputs.edit());
      }
    }
  }

  private void check(World world, List<Input> edit) {
    Instant now = world.clock().now();
    StateSnapshot before = world.state().snapshot();
    Preview preview =
        new Previewer(before, EnginePolicy.DEFAULT, now, () -> true).preview(edit, List.of());
    assertThat(world.state().snapshot()).as("the state that was looked at").isEqualTo(before);
    assertThat(preview.complete()).isTrue();

    Made without = new Made(AdmissionState.restore(before));
    AdmissionEngine engine = new AdmissionEngine(without.state());
    without.settle(List.of(), round -> engine.decide(round, now, EVENTS_MAX).events());
    Map<String, Long> excessesBefore = Invariants.excesses(without.state());
    Made with = new Made(world.state());
    with.settle(
        edit,
        round -> {
          round.forEach(world::input);
          return world.round();
        });

    checkJobs(preview, before, without, with);
    checkEvictions(preview, before, without, with);
    checkExcesses(preview, excessesBefore, Invariants.excesses(with.state()));
  }

  private void checkJobs(Preview preview, StateSnapshot before, Made without, Made with) {
    TreeMap<JobId, Integer> gains = new TreeMap<>();
    TreeMap<JobId, Integer> losses = new TreeMap<>();
    before
        .jobs()
        .forEach(
            job -> {
              JobId id = job.workload().id();
              int change = with.admitted(id) - without.admitted(id);
              if (change > 0) {
                gains.put(id, change);
              } else if (change < 0 && with.state().findJob(id) != null) {
                losses.put(id, -change);
              }
            });
    TreeMap<JobId, Integer> toldGains = new TreeMap<>();
    preview.gains().first().forEach(gain -> toldGains.put(gain.who().job(), gain.indices()));
    assertThat(toldGains).as("gains").isEqualTo(gains);
    TreeMap<JobId, Integer> toldLosses = new TreeMap<>();
    for (Preview.Wait wait : preview.waits().first()) {
      JobEntry job = with.state().findJob(wait.who().job());
      assertThat(job).isNotNull();
      if (job != null) {
        assertThat(wait.why()).isEqualTo(new Explainer(with.state()).explain(job).orElse(null));
      }
      if (wait.indices() > 0) {
        toldLosses.put(wait.who().job(), wait.indices());
      }
    }
    assertThat(toldLosses).as("losses").isEqualTo(losses);
    count("gains", gains.size());
    count("waits", losses.size());
  }

  private void checkEvictions(Preview preview, StateSnapshot before, Made without, Made with) {
    TreeSet<AttemptKey> evicted = new TreeSet<>();
    before.attempts().forEach(attempt -> evicted.add(attempt.key()));
    evicted.retainAll(with.told());
    evicted.removeAll(without.told());
    assertThat(preview.evictions().first())
        .extracting(eviction -> eviction.victim().attempt())
        .containsExactlyElementsOf(evicted);
    count("evictions", evicted.size());
  }

  private void checkExcesses(Preview preview, Map<String, Long> without, Map<String, Long> with) {
    TreeMap<String, Long> larger = new TreeMap<>();
    with.forEach(
        (where, excess) -> {
          if (excess > without.getOrDefault(where, 0L)) {
            larger.put(where, excess);
          }
        });
    TreeMap<String, Long> told = new TreeMap<>();
    for (Preview.Excess excess : preview.excesses().first()) {
      String kind = excess.node().queue() ? "queue " : "cohort ";
      told.put(kind + excess.node().name() + " " + excess.pair(), excess.excess());
      assertThat(excess.attempts().count()).isPositive();
    }
    assertThat(told).isEqualTo(larger);
    count("excesses", larger.size());
  }

  private void count(String what, int more) {
    if (more > 0) {
      seen.merge(what, more, Integer::sum);
    }
  }
}
