// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.AdmissionRound;
import io.sluice.admission.RoundTime;
import io.sluice.admission.invariant.Invariants;
import io.sluice.admission.state.AdmissionState;
import io.sluice.simulator.fault.FaultKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A simulated server that leads, or believes so. It runs the real round when it is woken, when a
 * timer is due, and every second. It lives until it dies or hears that another leads.
 */
final class SimulatedServer implements MemoryJournal.Owner {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration WAKING = Duration.ofMillis(5);

  private final VirtualWorld world;
  private final Parts parts;
  private final SimulatedLauncher launcher;
  private final Consumer<SimulatedServer> whenEnded;
  private final long epoch;
  private final RoundTime clock;
  private @Nullable MemoryJournal journal;
  private @Nullable AdmissionRound round;
  private @Nullable AdmissionState state;
  private @Nullable Instant nextStep;
  private long stepsPlanned;
  private boolean alive = true;
  private boolean quiet;

  /** Takes the lead; {@link #begin} does the rest. */
  SimulatedServer(
      VirtualWorld world, Parts parts, SimulatedFleet fleet, Consumer<SimulatedServer> whenEnded) {
    this.world = world;
    this.parts = parts;
    this.launcher = new SimulatedLauncher(world, fleet);
    this.whenEnded = whenEnded;
    this.epoch = world.store().takeLead();
    this.clock = world.clock().reader();
  }

  /** Reads memory back and goes on from there. */
  void begin() {
    world.timeline().add("server of epoch " + epoch + " reads memory back");
    AdmissionState restored = AdmissionState.restore(world.store().rows().load());
    List<String> violations = Invariants.violations(restored);
    if (!violations.isEmpty()) {
      throw new BrokenPromiseException(Promise.MEMORY, String.join("; ", violations));
    }
    world.committed().requireEqual("memory read back", restored.snapshot());
    MemoryJournal opened = new MemoryJournal(world, epoch, this);
    AdmissionRound made =
        new AdmissionRound(
            restored, world.store().lastSequence(), parts.journal(opened), launcher, clock);
    journal = opened;
    state = restored;
    round = made;
    guard(made::resume);
    wake();
  }

  boolean alive() {
    return alive;
  }

  /** Whether its last step left nothing to do or to wait for, and nobody woke it since. */
  boolean quiet() {
    return alive && quiet;
  }

  @Override
  public void wake() {
    quiet = false;
    plan(world.plan().upTo(WAKING));
  }

  /** Ends at once; what it has not written or sent is lost. */
  @Override
  public void die(FaultKind how) {
    end("dies: " + how, true);
  }

  /** Ends because another leads or is to lead. */
  void giveUp() {
    end("gives up", false);
  }

  private void end(String how, boolean died) {
    if (!alive) {
      return;
    }
    alive = false;
    world.timeline().add("server of epoch " + epoch + " " + how);
    close(died);
    launcher.die(parts.commandsDieWithServer());
    whenEnded.accept(this);
  }

  private void close(boolean died) {
    MemoryJournal open = journal;
    if (open != null) {
      open.close(died);
    }
  }

  private void plan(Duration wait) {
    Instant at = world.agenda().now().plus(wait);
    Instant planned = nextStep;
    if (!alive || (planned != null && !at.isBefore(planned))) {
      return;
    }
    nextStep = at;
    stepsPlanned++;
    long number = stepsPlanned;
    world
        .agenda()
        .in(
            wait,
            () -> {
              if (alive && number == stepsPlanned) {
                nextStep = null;
                guard(this::step);
              }
            });
  }

  private void step() {
    AdmissionRound running = round;
    if (running == null) {
      return;
    }
    AdmissionRound.Step step = running.step();
    if (!step.undecided().isEmpty()) {
      throw new IllegalStateException("a cycle decided nothing about " + step.undecided());
    }
    quiet = !step.again() && !step.committing();
    if (quiet && epoch == world.store().epoch()) {
      checkMemory();
    }
    plan(step.again() ? AT_ONCE : untilNext(step.nextTimerAt(), step.now()));
  }

  private void checkMemory() {
    AdmissionState lived = state;
    if (lived != null) {
      world.committed().requireEqual("memory that lived", lived.snapshot());
    }
  }

  private static Duration untilNext(@Nullable Instant timer, Instant now) {
    if (timer == null) {
      return POLL;
    }
    Duration until = Duration.between(now, timer).plus(AT_ONCE);
    if (until.compareTo(AT_ONCE) < 0) {
      return AT_ONCE;
    }
    return until.compareTo(POLL) < 0 ? until : POLL;
  }

  /** Does what the live loop does when something fails. */
  private void guard(Runnable what) {
    try {
      what.run();
    } catch (ServerDiedException died) {
      end("dies: " + died.getMessage(), true);
    } catch (LostEpochException lost) {
      end("hears: " + lost.getMessage(), false);
    } catch (RefusedBatchException refused) {
      close(false);
      nextStep = null;
      begin();
    } catch (UnansweredException unanswered) {
      plan(PAUSE);
    } catch (BrokenPromiseException broken) {
      throw broken;
    } catch (RuntimeException failure) {
      throw new BrokenPromiseException(
          Promise.ENGINE,
          failure + " at " + List.of(failure.getStackTrace()).stream().limit(6).toList(),
          failure);
    }
  }
}
