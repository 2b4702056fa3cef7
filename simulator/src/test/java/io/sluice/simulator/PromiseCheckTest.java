// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.admission.scenario.ScenarioRunner;
import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.PreemptionReason;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.testing.VirtualClock;
import io.sluice.testing.WorkloadBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What the checks object to, and what they let pass. */
class PromiseCheckTest {
  private static final Instant NOW = VirtualClock.BEGIN;
  private static final AttemptKey FIRST = new AttemptKey(WorkloadBuilder.id(1), 0, 1);
  private static final AttemptKey SECOND = new AttemptKey(WorkloadBuilder.id(1), 0, 2);
  private static final AttemptKey OTHER = new AttemptKey(WorkloadBuilder.id(2), 0, 1);

  private static void assertBroken(Promise promise, ThrowingCallable what) {
    assertThatExceptionOfType(BrokenPromiseException.class)
        .isThrownBy(what)
        .matches(broken -> broken.promise() == promise);
  }

  @Test
  void anExcessThatADecisionEnlargesIsBroken() {
    Event decision = new Event.FleetSet(Fleet.EMPTY);
    TreeMap<String, Long> two = new TreeMap<>(Map.of("queue vision v6e", 2L));
    TreeMap<String, Long> three = new TreeMap<>(Map.of("queue vision v6e", 3L));
    QuotaCheck.check(three, decision, two);
    assertBroken(Promise.QUOTA, () -> QuotaCheck.check(two, decision, three));
    assertBroken(Promise.QUOTA, () -> QuotaCheck.check(new TreeMap<>(), decision, two));
  }

  @Test
  void twoAttemptsOnOneSliceAreBroken() {
    FleetBooks books = new FleetBooks();
    books.begin(new Execution(FIRST, 1, List.of("s1", "s2"), 2));
    assertBroken(
        Promise.SLICES, () -> books.begin(new Execution(OTHER, 1, List.of("s2", "s3"), 2)));
  }

  @Test
  void aSliceThatWasLeftMayBeTaken() {
    FleetBooks books = new FleetBooks();
    Execution first = new Execution(FIRST, 1, List.of("s1"), 1);
    books.begin(first);
    books.end(first);
    books.begin(new Execution(OTHER, 1, List.of("s1"), 1));
  }

  @Test
  void aGrantThatIsNotWholeIsBroken() {
    FleetBooks books = new FleetBooks();
    assertBroken(Promise.SLICES, () -> books.begin(new Execution(FIRST, 1, List.of("s1"), 2)));
    assertBroken(
        Promise.SLICES, () -> books.begin(new Execution(FIRST, 1, List.of("s1", "s1"), 2)));
  }

  @Test
  void aSuccessorBesideItsFormerIsBroken() {
    FleetBooks books = new FleetBooks();
    books.begin(new Execution(FIRST, 1, List.of(), 0));
    assertBroken(Promise.EXECUTIONS, () -> books.begin(new Execution(SECOND, 1, List.of(), 0)));
  }

  @Test
  void processesThatTheEngineDoesNotKnowAreBroken() {
    FleetBooks books = new FleetBooks();
    books.begin(new Execution(FIRST, 1, List.of(), 0));
    assertBroken(Promise.EXECUTIONS, () -> books.check(new AdmissionState()));
  }

  @Test
  void aJobThatFitsAfterARoundThatWasOverIsBroken() {
    ScenarioRunner scenario = new ScenarioRunner();
    scenario.run("queue vision nominal cpu 4\nround");
    AdmissionState state = scenario.world().state();
    ExplanationCheck.check(state, NOW, false);
    state.apply(
        new Event.JobEnqueued(
            WorkloadBuilder.named("train", 1)
                .queue("default", "vision")
                .requests(1, ResourceName.CPU, 1)
                .build()),
        NOW);
    ExplanationCheck.check(state, NOW, true);
    assertBroken(Promise.EXPLANATIONS, () -> ExplanationCheck.check(state, NOW, false));
  }

  @Test
  void anAttemptThatOutlivedItsTimeLimitIsBroken() {
    ScenarioRunner scenario = new ScenarioRunner();
    scenario.run(
        """
        queue vision nominal cpu 4
        job train queue vision cpu 1 limit 5s
        round
        started train
        round
        """);
    AdmissionState state = scenario.world().state();
    ExplanationCheck.check(state, NOW.plusSeconds(4), false);
    assertBroken(
        Promise.EXPLANATIONS, () -> ExplanationCheck.check(state, NOW.plusSeconds(6), false));
  }

  @Test
  void preemptingTheSameAgainAndAgainIsBroken() {
    Event eviction =
        new Event.AttemptDraining(
            FIRST,
            Drain.preempted(
                new IndexKey(WorkloadBuilder.id(2), 0), PreemptionReason.IN_CLUSTER_QUEUE));
    PreemptionCheck check = new PreemptionCheck();
    check.check(List.of(), List.of(eviction));
    // Somebody changed the fleet: now there is a reason.
    check.check(List.of(new Input.SetFleet(Fleet.EMPTY)), List.of(eviction));
    assertBroken(Promise.PREEMPTION, () -> check.check(List.of(), List.of(eviction)));
  }

  private static Event admitted(AttemptKey key) {
    return new Event.Admitted(key, 1, new Assignment("vision", List.of(), List.of()), List.of());
  }

  @Test
  void anAdmissionOfAHeldJobIsBroken() {
    JobId job = FIRST.job();
    HoldCheck check = new HoldCheck();
    Event arrival = new Event.JobEnqueued(WorkloadBuilder.named("train", 1).build());
    check.check(List.of(), List.of(arrival, new Event.JobHeld(job, "somebody"), admitted(OTHER)));
    assertBroken(Promise.HOLDS, () -> check.check(List.of(), List.of(admitted(FIRST))));
    check.check(List.of(), List.of(new Event.JobReleased(job, "somebody"), admitted(FIRST)));
  }

  @Test
  void aHoldOrReleaseWithoutEffectIsBroken() {
    JobId job = FIRST.job();
    Input hold = new Input.HoldJob(job, "somebody", false);
    Input release = new Input.ReleaseJob(job, "somebody");
    Event held = new Event.JobHeld(job, "somebody");
    HoldCheck check = new HoldCheck();
    // Of a job that is not there yet it has none.
    check.check(List.of(hold), List.of());
    check.check(
        List.of(), List.of(new Event.JobEnqueued(WorkloadBuilder.named("train", 1).build())));
    assertBroken(Promise.INPUTS, () -> check.check(List.of(hold), List.of()));
    check.check(List.of(release, hold), List.of(held));
    assertBroken(Promise.INPUTS, () -> check.check(List.of(release), List.of()));
  }

  @Test
  void timeThatStandsStillOrRunsAheadIsBroken() {
    TimeCheck check = new TimeCheck();
    check.check(NOW, NOW);
    assertBroken(Promise.TIME, () -> check.check(NOW, NOW));
    assertBroken(Promise.TIME, () -> check.check(NOW.plus(Duration.ofMinutes(1)), NOW));
  }
}
