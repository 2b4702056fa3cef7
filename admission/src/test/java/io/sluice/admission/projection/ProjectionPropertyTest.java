// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.testing.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A projection of a random world is what the world lives through when it goes on. */
class ProjectionPropertyTest {
  private static final int ROUNDS = 24;
  private static final Duration HORIZON = Duration.ofMinutes(12);

  private int starts;
  private int later;
  private int evictions;

  @Test
  void everyStartIsThatOfTheContinuedWorld() {
    Seeds.check(6, random -> check(random, RandomWorld::withPlannedQueues));
    Seeds.check(2, random -> check(random, RandomWorld::new));
    Seeds.check(2, random -> check(random, RandomWorld::withCubes));
    // Else nothing was tried.
    assertThat(starts).isGreaterThan(8);
    assertThat(later).isGreaterThan(10);
    assertThat(evictions).isPositive();
  }

  private void check(SplittableRandom random, Function<SplittableRandom, RandomWorld> kind) {
    World world = new World();
    RandomWorld inputs = kind.apply(random);
    inputs.setUp().forEach(world::input);
    for (int round = 0; round < ROUNDS; round++) {
      // Without progress deadlines: a round for a stall decides about planned starts, too.
      inputs.next(world.state()).stream().map(UnwatchedProgress::of).forEach(world::input);
      world.clock().advance(inputs.pause());
      world.round();
    }
    Instant now = world.clock().now();
    StateSnapshot before = world.state().snapshot();
    List<Input> edit = inputs.submissions(now).stream().map(UnwatchedProgress::of).toList();
    Projection projection =
        Projector.project(
            before, EnginePolicy.DEFAULT, now, edit, ProjectionBounds.of(HORIZON, () -> true));
    assertThat(world.state().snapshot()).as("the projected state").isEqualTo(before);
    assertThat(projection.truncated()).isFalse();

    edit.forEach(world::input);
    ContinuedWorld continued = new ContinuedWorld(world);
    continued.liveUntil(now.plus(HORIZON));
    Map<JobId, Instant> projected = new TreeMap<>();
    Map<JobId, Instant> sought = new TreeMap<>();
    for (ProjectedJob job : projection.jobs().values()) {
      if (job.start() != null) {
        projected.put(job.who().job(), job.start());
        starts++;
        later += job.start().isAfter(now) ? 1 : 0;
      }
      if (job.sought() != null) {
        sought.put(job.who().job(), job.sought());
      }
      evictions += job.loss().evictions();
    }
    assertThat(projected).isEqualTo(continued.starts());
    assertThat(sought).isEqualTo(continued.sought());
    for (Map.Entry<JobId, Integer> evicted : continued.evictions().entrySet()) {
      ProjectedJob job = projection.jobs().get(evicted.getKey());
      assertThat(job).isNotNull();
      assertThat(job == null ? 0 : job.loss().evictions()).isEqualTo(evicted.getValue());
    }
  }
}
