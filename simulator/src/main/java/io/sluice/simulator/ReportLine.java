// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.simulator.fault.FaultKind;
import io.sluice.simulator.fault.FaultPlan;
import java.time.Duration;

/** Carries reports from hosts to the intake: at least once each, in any order. */
final class ReportLine {
  private static final Duration WAY = Duration.ofMillis(10);
  private static final Duration LATE = Duration.ofSeconds(20);
  private static final Duration MUCH_LATER = Duration.ofMinutes(8);
  private static final Duration FOUND_OUT = Duration.ofMinutes(20);

  private final VirtualWorld world;
  private final Intake intake;
  private int pending;
  private int cut;
  private int unconfirmed;

  ReportLine(VirtualWorld world, Intake intake) {
    this.world = world;
    this.intake = intake;
  }

  void send(AttemptReport report) {
    FaultPlan plan = world.plan();
    Duration wait = WAY;
    if (plan.strikes(FaultKind.REPORT_LOST)) {
      wait = plan.upTo(MUCH_LATER);
    } else if (plan.strikes(FaultKind.REPORT_DELAYED)) {
      wait = plan.upTo(LATE);
    }
    deliver(report, wait);
    if (plan.strikes(FaultKind.REPORT_REPEATED)) {
      deliver(report, wait.plus(plan.upTo(LATE)));
    }
  }

  /** An administrator finds out after a while that an attempt is gone, whichever server leads. */
  void confirmLost(AttemptKey attempt) {
    unconfirmed++;
    world
        .agenda()
        .in(
            world.plan().upTo(FOUND_OUT),
            () -> {
              unconfirmed--;
              intake.take(new Input.ConfirmLost(attempt, "administrator"));
            });
  }

  private void deliver(AttemptReport report, Duration wait) {
    pending++;
    int sentIn = cut;
    world
        .agenda()
        .in(
            wait,
            () -> {
              if (sentIn == cut) {
                pending--;
                intake.take(new Input.Report(report));
              }
            });
  }

  /** Whoever had reports to send is dead: what has not arrived will not. */
  void cut() {
    cut++;
    pending = 0;
  }

  boolean idle() {
    return pending == 0 && unconfirmed == 0;
  }
}
