// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.scenario.RandomWorld;
import io.sluice.queuemodel.event.Input;
import io.sluice.simulator.fault.FaultRates;
import io.sluice.testing.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Users and administrators of a random world. */
public final class RandomUsers implements SimulatedUsers {
  private final RandomWorld world;

  RandomUsers(SplittableRandom random) {
    this.world = RandomWorld.withoutLadders(random);
  }

  /** Two minutes of a random world in which everything goes wrong now and then. */
  public static SimulationSetup setup() {
    return new SimulationSetup(
        RandomUsers::new,
        FaultRates.USUAL,
        RunProfile.USUAL,
        VirtualClock.BEGIN,
        Duration.ofMinutes(2),
        true);
  }

  @Override
  public List<Input> setUp() {
    return world.setUp();
  }

  @Override
  public List<Input> next(Instant now) {
    List<Input> inputs = new ArrayList<>(world.submissions(now));
    inputs.addAll(world.changes());
    return inputs;
  }

  @Override
  public Duration pause() {
    return world.pause().plusMillis(500);
  }

  @Override
  public List<Input> settle() {
    return world.settle();
  }
}
