// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.fault;

import io.sluice.admission.RoundTime;
import java.time.Duration;
import java.time.Instant;

/** The simulated database clock: it can jump ahead or back, and be wrong for one reading. */
public final class SimulatedClock {
  /** Rounds take a step ahead of less than this for what it is. */
  private static final Duration JUMP = Duration.ofSeconds(31);

  private static final Duration SET_MAX = Duration.ofMinutes(10);

  private final Agenda agenda;
  private final FaultPlan plan;
  private Duration offset = Duration.ZERO;
  private Instant latest;
  private int readers;

  public SimulatedClock(Agenda agenda, FaultPlan plan) {
    this.agenda = agenda;
    this.plan = plan;
    this.latest = agenda.now();
  }

  /** The clock as one server reads it. */
  public RoundTime reader() {
    Reader reader = new Reader(readers == 0);
    readers++;
    return reader;
  }

  /** Two errors in a row would confirm a jump to their reader, so there are none. */
  private final class Reader implements RoundTime {
    private boolean erred;

    /** The first reading of all has none before it that could show it wrong, so it is right. */
    Reader(boolean first) {
      this.erred = first;
    }

    @Override
    public Instant read() {
      erred = !erred && plan.strikes(FaultKind.CLOCK_GLITCH);
      return erred ? honest().plus(JUMP).plus(plan.upTo(SET_MAX)) : honest();
    }
  }

  /** What it shows when it does not err. */
  public Instant honest() {
    Instant reading = agenda.now().plus(offset);
    latest = reading.isAfter(latest) ? reading : latest;
    return reading;
  }

  /** The latest time that it has shown, errors left out. */
  public Instant latest() {
    honest();
    return latest;
  }

  /** An occasion to set it. */
  public void mayBeSet() {
    honest();
    if (plan.strikes(FaultKind.CLOCK_AHEAD)) {
      offset = offset.plus(JUMP).plus(plan.upTo(SET_MAX));
    }
    if (plan.strikes(FaultKind.CLOCK_BACK)) {
      offset = offset.minus(plan.upTo(SET_MAX));
    }
  }
}
