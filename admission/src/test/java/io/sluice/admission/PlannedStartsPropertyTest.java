// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.plan.PlanCheck;
import io.sluice.admission.policy.EndAllowances;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.LimitEvent;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.testing.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What must hold of planned starts (P5), whatever comes in. */
class PlannedStartsPropertyTest {
  /** Draining attempts of the random worlds end within seconds, so that starts come due. */
  private static final EnginePolicy EXACT =
      EnginePolicy.DEFAULT.withEnds(new EndAllowances(true, Duration.ZERO));

  private static void live(
      SplittableRandom random, EnginePolicy policy, LivedRounds.RoundCheck check) {
    LivedRounds.live(RandomWorld.withPlannedQueues(random), policy, check);
  }

  @Test
  void aPlannedStartIsMovedLaterOnlyForANamedCause() {
    Map<PlanChange, Integer> changes = new EnumMap<>(PlanChange.class);
    Seeds.check(50, random -> checkMoves(RandomWorld.withPlannedQueues(random), changes));
    Seeds.check(15, random -> checkMoves(RandomWorld.withRankings(random), changes));
    // Else nothing was tried.
    assertThat(changes)
        .containsKeys(
            PlanChange.BLOCKED,
            PlanChange.EARLIER,
            PlanChange.OUTRANKED,
            PlanChange.QUOTA_CHANGED,
            PlanChange.FLEET_CHANGED,
            PlanChange.LIMIT_CHANGED);
    assertThat(changes.get(PlanChange.BLOCKED)).isGreaterThan(400);
  }

  private static void checkMoves(RandomWorld world, Map<PlanChange, Integer> changes) {
    LivedRounds.live(
        world,
        EnginePolicy.DEFAULT,
        (before, inputs, now, events, after) ->
            new MoveCheck(before, inputs, after, changes).check(events));
  }

  /** In one round, a limit is changed and a job that outranks another takes a slice kept for it. */
  @Test
  void aTimeLimitThatMovesNothingIsNoCause() {
    Seeds.check(
        232L,
        random ->
            checkMoves(RandomWorld.withPlannedQueues(random), new EnumMap<>(PlanChange.class)));
  }

  @Test
  void theForecastFollowsEveryChange() {
    Seeds.check(
        15,
        random ->
            live(
                random,
                EnginePolicy.DEFAULT,
                (before, inputs, now, events, after) -> {
                  AdmissionState restored =
                      AdmissionState.restore(after.snapshot(), EnginePolicy.DEFAULT);
                  for (QueueState queue : after.queues()) {
                    int node = queue.node();
                    for (int number = 0;
                        number < after.ledger().tree().flavorResources().size();
                        number++) {
                      for (int second = 0; second < 900; second += 3) {
                        long at = Ticks.of(now.plusSeconds(second));
                        assertThat(after.plan().forecast().mostAt(node, number, at))
                            .as(
                                "%s %s in %d s",
                                queue.name(),
                                after.ledger().tree().flavorResources().pair(number),
                                second)
                            .isEqualTo(restored.plan().forecast().mostAt(node, number, at));
                      }
                    }
                  }
                }));
  }

  @Test
  void aRestoredStateDecidesTheSame() {
    Seeds.check(15, random -> live(random, EnginePolicy.DEFAULT, LivedRounds::checkDecidesTheSame));
    Seeds.check(15, random -> live(random, EXACT, LivedRounds::checkDecidesTheSame));
  }

  @Test
  void aRoundLeavesNothing() {
    Seeds.check(15, random -> live(random, EXACT, LivedRounds::checkNothingIsLeft));
    Seeds.check(
        30,
        random ->
            LivedRounds.live(
                RandomWorld.withRankings(random), EXACT, LivedRounds::checkNothingIsLeft));
  }

  @Test
  void aRoundLeavesEachPlannedStartAsASearchFindsIt() {
    for (EnginePolicy policy : List.of(EnginePolicy.DEFAULT, EXACT)) {
      Seeds.check(
          15,
          random ->
              live(
                  random,
                  policy,
                  (before, inputs, now, events, after) ->
                      assertThat(PlanCheck.faults(after)).as("after %s", events).isEmpty()));
    }
  }

  /** Follows the planned starts through the events of a round. */
  private static final class MoveCheck {
    private final Map<JobId, PlannedStart> planned = new TreeMap<>();
    private final Map<JobId, Workload> workloads = new TreeMap<>();
    private final Set<JobId> served = new TreeSet<>();
    private final Set<JobId> limited = new TreeSet<>();
    private boolean overridden;
    private final AdmissionState after;
    private final Map<PlanChange, Integer> changes;

    MoveCheck(
        StateSnapshot before,
        List<Input> inputs,
        AdmissionState after,
        Map<PlanChange, Integer> changes) {
      this.after = after;
      this.changes = changes;
      for (JobRecord job : before.jobs()) {
        workloads.put(job.workload().id(), job.workload());
        if (job.planned() != null) {
          planned.put(job.workload().id(), job.planned());
        }
      }
      for (Input input : inputs) {
        if (input instanceof Input.SubmitJob submit) {
          workloads.put(submit.workload().id(), submit.workload());
        }
        overridden |= input instanceof Input.LimitJob limit && limit.override();
      }
      after.jobs().forEach(job -> workloads.put(job.id(), job.workload()));
    }

    void check(List<Event> events) {
      for (Event event : events) {
        if (event instanceof LimitEvent.TimeLimitChanged changed) {
          limited.add(changed.job());
        } else if (event instanceof PlanEvent.StartPlanned start) {
          PlannedStart former = planned.put(start.job(), start.planned());
          changes.merge(start.change(), 1, Integer::sum);
          // A job that did not wait in between has no planned start to be moved.
          boolean moved = former != null && start.change() != PlanChange.BLOCKED;
          if (moved && isLater(former, start.planned())) {
            checkCause(start.job(), former, start.change());
          }
          served.add(start.job());
        } else if (event instanceof PlanEvent.PlanWithdrawn withdrawn) {
          PlannedStart former = planned.remove(withdrawn.job());
          changes.merge(withdrawn.change(), 1, Integer::sum);
          if (former != null && former.at() != null) {
            checkCause(withdrawn.job(), former, withdrawn.change());
          }
        } else if (event instanceof Event.Admitted || event instanceof Event.Claimed) {
          JobId job = event.job();
          if (job != null) {
            served.add(job);
            planned.remove(job);
          }
        }
      }
    }

    private static boolean isLater(PlannedStart former, PlannedStart now) {
      Instant before = former.at();
      return before != null && (now.at() == null || now.at().isAfter(before));
    }

    private void checkCause(JobId job, PlannedStart former, PlanChange cause) {
      assertThat(cause).isNotIn(PlanChange.BLOCKED, PlanChange.EARLIER);
      if (cause == PlanChange.LIMIT_CHANGED && !overridden) {
        assertThat(limited).as("jobs whose own starts may move").contains(job);
      }
      if (cause == PlanChange.OUTRANKED) {
        assertThat(served)
            .as("jobs that outrank %s, which was to start at %s", job, former.at())
            .anyMatch(other -> outranks(other, job, former));
      }
    }

    private boolean outranks(JobId other, JobId job, PlannedStart former) {
      Workload one = workloads.get(other);
      Workload its = workloads.get(job);
      if (one == null || its == null || other.equals(job)) {
        return false;
      }
      if (!one.queue().name().equals(its.queue().name())) {
        return !former.firm();
      }
      return one.priority().value() > its.priority().value() || isStrict(its);
    }

    private boolean isStrict(@Nullable Workload workload) {
      return workload != null
          && after.queues().stream()
              .anyMatch(queue -> queue.name().equals(workload.queue().name()) && queue.strict());
    }
  }
}
