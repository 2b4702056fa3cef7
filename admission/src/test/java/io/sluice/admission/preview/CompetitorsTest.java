// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.explain.SmallestChange;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.ScenarioRunner;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.testing.WorkloadBuilder;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CompetitorsTest {
  private static final int JOBS = 100_000;
  private static final int KINDS = 25;
  private static final int CORE = 1_000;

  private final ScenarioRunner scenario = new ScenarioRunner();

  /** A queue of four cores before which many jobs of some kinds wait. */
  private World crowd() {
    scenario.run(
        """
        queue  vision  nominal cpu 4
        queue  other   nominal cpu 4
        """);
    World world = scenario.world();
    for (int number = 1; number <= JOBS; number++) {
      world.submit(
          WorkloadBuilder.named("job-" + number, number)
              .createdAt(world.clock().now().plusMillis(number))
              .queue("default", number % 2 == 0 ? "vision" : "other")
              .requests(1, ResourceName.CPU, (2 + number % KINDS) * (long) CORE)
              .priority(0, false)
              .build());
    }
    world.round();
    return world;
  }

  private static JobEntry job(World world, int number) {
    return Objects.requireNonNull(world.job("job-" + number));
  }

  @Test
  void aTrialHoldsAFewJobsOfEachKindHoweverManyWait() {
    World world = crowd();
    Competitors last = Competitors.of(world.state(), job(world, JOBS));
    assertThat(Objects.requireNonNull(last.snapshot()).jobs())
        .hasSizeBetween(KINDS, 2 * KINDS * Competitors.LINE_MAX + 10);
    assertThat(last.cut()).isNotEmpty();

    SmallestChange change = new ChangeSearch(last, EnginePolicy.DEFAULT, () -> true).find();
    assertThat(change)
        .as("others of its kind would take what is added")
        .isEqualTo(SmallestChange.UNKNOWN);
  }

  @Test
  void jobsThatAreLeftOutChangeNothingWhereOneOfTheirKindStillWaits() {
    World world = crowd();
    JobEntry first =
        Objects.requireNonNull(
            Objects.requireNonNull(world.state().queue("vision")).pending().first());
    Competitors competitors = Competitors.of(world.state(), first);
    SmallestChange change = new ChangeSearch(competitors, EnginePolicy.DEFAULT, () -> true).find();
    assertThat(change.verdict()).isEqualTo(SmallestChange.Verdict.CHANGE);
  }
}
