// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.scenario.ScenarioRunner;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.testing.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Slices are given whole: to two jobs that each need all of them one after the other. */
class WholeGrantTest {
  private static final int SLICES = 3;

  /** In either order of the two, and whether one of them may evict the other or not. */
  @Test
  void twoJobsThatNeedAllSlicesNeverHoldSomeEach() {
    Seeds.check(1000, WholeGrantTest::submitTwo);
  }

  private static void submitTwo(SplittableRandom random) {
    ScenarioRunner scenario = new ScenarioRunner();
    boolean oneQueue = random.nextBoolean();
    boolean evicts = random.nextInt(4) == 0;
    scenario.run("slices " + SLICES + " v6e-16");
    String policy = evicts ? " within lower reclaim any" : "";
    scenario.run("queue a cohort lab nominal v6e " + (oneQueue ? 48 : 24) + policy);
    scenario.run("queue b cohort lab nominal v6e " + (oneQueue ? 0 : 24) + policy);
    for (String job : random.nextBoolean() ? new String[] {"x", "y"} : new String[] {"y", "x"}) {
      String queue = oneQueue || job.equals("x") ? "a" : "b";
      String slices = random.nextInt(4) == 0 ? "2..3" : "3";
      String priority = random.nextBoolean() ? "high" : "low";
      scenario.run(
          "job "
              + job
              + " queue "
              + queue
              + " priority "
              + priority
              + " slices "
              + slices
              + " v6e-16");
      if (random.nextBoolean()) {
        round(scenario);
      }
    }
    for (int rounds = 0; unfinished(scenario) && rounds < 40; rounds++) {
      round(scenario);
      for (Attempt attempt : scenario.world().state().attempts()) {
        report(scenario, attempt, random);
      }
    }
    assertThat(unfinished(scenario)).as("a job that never ended").isFalse();
  }

  private static boolean unfinished(ScenarioRunner scenario) {
    return !scenario.world().state().jobs().isEmpty();
  }

  private static void report(ScenarioRunner scenario, Attempt attempt, SplittableRandom random) {
    Kind kind =
        attempt.draining()
            ? Kind.DRAINED
            : attempt.startedAt() == null || !attempt.settled()
                ? Kind.STARTED
                : random.nextInt(3) == 0 ? Kind.FINISHED : Kind.PROGRESS;
    scenario.world().report(attempt.job().workload().name(), 0, kind);
  }

  private static void round(ScenarioRunner scenario) {
    scenario.world().round();
    AdmissionState state = scenario.world().state();
    for (Attempt attempt : state.attempts()) {
      int least = attempt.range().min();
      assertThat(attempt.assignment().slices()).hasSizeGreaterThanOrEqualTo(least);
    }
  }
}
