// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.queuemodel.event.Input;
import io.sluice.simulator.fault.Agenda;
import io.sluice.simulator.fault.FaultKind;
import io.sluice.simulator.fault.FaultPlan;
import io.sluice.simulator.fault.SimulatedClock;
import io.sluice.simulator.fault.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs the real round in virtual time, on memory that can fail, and checks the promises. The same
 * setup and seed give the same journal, to the byte.
 */
final class Simulation {
  private static final Duration RESTART = Duration.ofSeconds(20);
  private static final int RECOMPUTED = 5;
  private static final int STEPS_MAX = 5_000_000;

  private final SimulationSetup setup;
  private final Parts parts;
  private final long seed;
  private final Agenda agenda;
  private final Timeline timeline;
  private final FaultPlan plan;
  private final FleetBooks books = new FleetBooks();
  private final CommittedState committed;
  private final VirtualWorld world;
  private final Intake intake;
  private final SimulatedFleet fleet;
  private final SimulatedUsers users;
  private final List<SimulatedServer> servers = new ArrayList<>();
  private @Nullable Instant deadline;

  Simulation(SimulationSetup setup, long seed, Parts parts) {
    this.setup = setup;
    this.parts = parts;
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed);
    this.users = setup.users().apply(random.split());
    this.agenda = new Agenda(setup.begin());
    this.timeline = new Timeline(agenda);
    this.plan = new FaultPlan(setup.faults(), random.split(), timeline);
    SimulatedClock clock = new SimulatedClock(agenda, plan);
    this.committed = new CommittedState(books, clock::latest);
    this.world =
        new VirtualWorld(
            agenda, timeline, plan, new MemoryStore(this::whenWritten), committed, clock);
    this.intake = parts.intake(world, this::wakeAll);
    this.fleet = parts.fleet(world, setup.runs(), new ReportLine(world, intake), books);
  }

  /** Runs until everything that can finish has finished, or a promise is broken. */
  public static SimulationResult run(SimulationSetup setup, long seed) {
    return new Simulation(setup, seed, new Parts(setup)).run();
  }

  SimulationResult run() {
    SimulationResult.Violation violation = null;
    try {
      runUntilRest();
    } catch (BrokenPromiseException broken) {
      timeline.add("broken: " + broken.promise());
      violation =
          new SimulationResult.Violation(
              broken.promise(),
              "seed %d, %s: %s".formatted(seed, broken.promise(), broken.getMessage()));
    }
    MemoryStore store = world.store();
    return new SimulationResult(
        seed,
        store.digest(),
        committed.counts(store.lastSequence(), plan.struck()),
        timeline.moments(),
        violation);
  }

  private void runUntilRest() {
    users.setUp().forEach(intake::takeFirst);
    startServer();
    agenda.in(users.pause(), this::tick);
    agenda.in(setup.duration(), this::calm);
    int steps = 0;
    while (!atRest()) {
      steps++;
      Instant latest = deadline;
      boolean late = latest != null && agenda.now().isAfter(latest);
      if (!agenda.next() || late || steps > STEPS_MAX) {
        throw unfinished();
      }
    }
    long batches = world.store().lastSequence();
    for (int time = 0; time < RECOMPUTED && batches > 0; time++) {
      committed.recompute(world.store(), 1 + plan.number((int) batches));
    }
  }

  private BrokenPromiseException unfinished() {
    return world.store().anyWaiting()
        ? new BrokenPromiseException(Promise.INPUTS, "acknowledged inputs are not consumed")
        : new BrokenPromiseException(
            Promise.LIVENESS,
            "still to finish: " + Quiescence.unfinished(committed.state(), world.clock().honest()));
  }

  private void whenWritten(Written written) {
    timeline.add(
        "batch %d of epoch %d consumes %d inputs and records %s"
            .formatted(
                written.batch().sequence(),
                written.epoch(),
                written.inputs().size(),
                written.batch().events().stream().map(e -> e.getClass().getSimpleName()).toList()));
    committed.take(written, world.store());
  }

  private void wakeAll() {
    List.copyOf(servers).forEach(SimulatedServer::wake);
  }

  /** Users send, administrators edit, hosts and clocks fail, servers are replaced. */
  private void tick() {
    if (plan.isCalm()) {
      return;
    }
    users.next(world.clock().honest()).forEach(this::take);
    world.clock().mayBeSet();
    fleet.loseHost();
    if (setup.processesOutliveServer() && !servers.isEmpty() && plan.strikes(FaultKind.TAKEOVER)) {
      startServer();
    }
    agenda.in(users.pause(), this::tick);
  }

  private void take(Input input) {
    intake.take(input);
    if (input instanceof Input.SetFleet set) {
      fleet.change(set.fleet());
    }
  }

  private void startServer() {
    SimulatedServer server = new SimulatedServer(world, parts, fleet, this::whenEnded);
    servers.add(server);
    if (!setup.processesOutliveServer()) {
      fleet.recover(world.store().rows().load().attempts());
    }
    server.begin();
  }

  private void whenEnded(SimulatedServer ended) {
    servers.remove(ended);
    if (!setup.processesOutliveServer()) {
      fleet.orphan();
    }
    if (servers.isEmpty()) {
      agenda.in(
          plan.upTo(RESTART),
          () -> {
            if (servers.isEmpty()) {
              startServer();
            }
          });
    }
  }

  /** Faults end, all servers but the one that leads are gone, and work can go on. */
  private void calm() {
    timeline.add("faults end");
    plan.calm();
    for (int old = servers.size() - 2; old >= 0; old--) {
      servers.get(old).giveUp();
    }
    users.settle().forEach(this::take);
    // A clock that was set back has to come by where it was before anything is due.
    Duration behind = Duration.between(world.clock().honest(), world.clock().latest());
    deadline = agenda.now().plus(Quiescence.longest(committed.state(), setup.runs())).plus(behind);
  }

  private boolean atRest() {
    return deadline != null
        && servers.size() == 1
        && servers.get(0).quiet()
        && !world.store().anyWaiting()
        && fleet.idle()
        && Quiescence.unfinished(committed.state(), world.clock().honest()).isEmpty();
  }
}
