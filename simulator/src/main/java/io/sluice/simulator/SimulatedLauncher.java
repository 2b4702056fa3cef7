// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.Launcher;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.simulator.fault.FaultKind;
import java.time.Duration;
import java.time.Instant;

/**
 * Carries one server's commands to the hosts, in order. When the server dies, what is on its way
 * may arrive or not.
 */
final class SimulatedLauncher implements Launcher {
  private static final Duration WAY = Duration.ofMillis(50);
  private static final Duration LATE = Duration.ofSeconds(60);
  private static final int HALF = 50;

  private final VirtualWorld world;
  private final SimulatedFleet fleet;
  private Instant lastArrival;
  private boolean dead;
  private boolean silent;

  SimulatedLauncher(VirtualWorld world, SimulatedFleet fleet) {
    this.world = world;
    this.fleet = fleet;
    this.lastArrival = world.agenda().now();
  }

  @Override
  public void start(AttemptKey attempt, int generation) {
    mayDie();
    send(() -> fleet.start(attempt, generation));
    if (world.plan().strikes(FaultKind.COMMAND_STALE)) {
      deliver(world.plan().upTo(LATE), () -> fleet.start(attempt, generation - 1));
    }
  }

  @Override
  public void stop(AttemptKey attempt, int generation, Duration gracePeriod) {
    mayDie();
    send(() -> fleet.stop(attempt, generation, gracePeriod));
  }

  private void mayDie() {
    if (world.plan().strikes(FaultKind.CRASH_DURING_DISPATCH)) {
      throw new ServerDiedException(FaultKind.CRASH_DURING_DISPATCH);
    }
  }

  private void send(Runnable command) {
    Instant now = world.agenda().now();
    boolean late = world.plan().strikes(FaultKind.COMMAND_DELAYED);
    Instant arrival = now.plus(world.plan().upTo(late ? LATE : WAY));
    lastArrival = arrival.isBefore(lastArrival) ? lastArrival : arrival;
    Duration wait = Duration.between(now, lastArrival);
    deliver(wait, command);
    if (world.plan().strikes(FaultKind.COMMAND_REPEATED)) {
      deliver(wait.plus(world.plan().upTo(LATE)), command);
    }
  }

  private void deliver(Duration wait, Runnable command) {
    world
        .agenda()
        .in(
            wait,
            () -> {
              boolean lost = silent || (dead && world.plan().chance(HALF));
              if (!lost) {
                command.run();
              }
            });
  }

  /**
   * The server is dead.
   *
   * @param nothingArrives whether all that is on its way is lost
   */
  void die(boolean nothingArrives) {
    dead = true;
    silent = nothingArrives;
  }
}
