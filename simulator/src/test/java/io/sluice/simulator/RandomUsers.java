// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.scenario.RandomWorld;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.policy.Queueing;
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
  private final boolean planned;

  RandomUsers(SplittableRandom random) {
    this(random, false);
  }

  private RandomUsers(SplittableRandom random, boolean planned) {
    this.world = RandomWorld.withoutLadders(random);
    this.planned = planned;
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

  /** The same with queues that plan starts; now and then an edit ends the plans of a queue. */
  public static SimulationSetup withPlannedQueues() {
    return new SimulationSetup(
        random -> new RandomUsers(random, true),
        FaultRates.USUAL,
        RunProfile.USUAL,
        VirtualClock.BEGIN,
        Duration.ofMinutes(2),
        true);
  }

  private List<Input> inPlannedQueues(List<Input> inputs) {
    return planned ? inputs.stream().map(RandomUsers::inPlannedQueue).toList() : inputs;
  }

  private static Input inPlannedQueue(Input input) {
    if (!(input instanceof Input.SetObject set) || !(set.object() instanceof ClusterQueue queue)) {
      return input;
    }
    Queueing queueing =
        set.generation() % 4 == 3
            ? Queueing.KUEUE
            : Queueing.planned(1 + (int) (set.generation() % 3));
    return new Input.SetObject(queue.withQueueing(queueing), set.generation());
  }

  @Override
  public List<Input> setUp() {
    return inPlannedQueues(world.setUp());
  }

  @Override
  public List<Input> next(Instant now) {
    List<Input> inputs = new ArrayList<>(world.submissions(now));
    inputs.addAll(world.changes());
    return inPlannedQueues(inputs);
  }

  @Override
  public Duration pause() {
    return world.pause().plusMillis(500);
  }

  @Override
  public List<Input> settle() {
    return inPlannedQueues(world.settle());
  }
}
