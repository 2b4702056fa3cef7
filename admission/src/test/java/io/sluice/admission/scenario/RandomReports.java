// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.event.Input;
import java.util.List;
import java.util.SplittableRandom;

/** What executors say of attempts, true or late. */
final class RandomReports {
  private static final AttemptReport.Kind[] KINDS = AttemptReport.Kind.values();

  private final SplittableRandom random;

  RandomReports(SplittableRandom random) {
    this.random = random;
  }

  /** Adds what an executor may say of an attempt next. */
  void report(Attempt attempt, List<Input> inputs) {
    if (attempt.draining()) {
      // What was told to end may have ended well just before.
      inputs.add(
          report(attempt, chance(10) ? AttemptReport.Kind.FINISHED : AttemptReport.Kind.DRAINED));
      return;
    }
    if (chance(10)) {
      AttemptReport.Kind kind = KINDS[random.nextInt(KINDS.length)];
      inputs.add(
          new Input.Report(
              new AttemptReport(
                  attempt.key(), Math.max(1, attempt.generation() - 1), kind, null, "older")));
    }
    switch (random.nextInt(8)) {
      case 7 -> inputs.add(report(attempt, AttemptReport.Kind.CHECKPOINT));
      case 5, 6 -> inputs.add(report(attempt, AttemptReport.Kind.PROGRESS));
      case 0, 1 -> inputs.add(report(attempt, AttemptReport.Kind.STARTED));
      case 2, 3 -> inputs.add(report(attempt, AttemptReport.Kind.FINISHED));
      default -> {
        inputs.add(report(attempt, AttemptReport.Kind.FAILED));
        if (chance(50)) {
          inputs.add(report(attempt, AttemptReport.Kind.DRAINED));
        }
      }
    }
  }

  private Input report(Attempt attempt, AttemptReport.Kind kind) {
    FailureCause cause =
        kind == AttemptReport.Kind.FAILED
            ? random.nextInt(2) == 0 ? FailureCause.EXIT_CODE : FailureCause.HOST_LOST
            : null;
    return new Input.Report(
        new AttemptReport(attempt.key(), attempt.generation(), kind, cause, ""));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
