// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import io.sluice.admission.policy.EndAllowances;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * When the attempts of a projection end: one that may use its limit, at its latest end and with
 * success; one that is told to end for another reason, after its grace period. An attempt without
 * either never ends.
 */
final class AttemptEnds {
  private static final Comparator<End> ORDER =
      Comparator.comparing(End::at).thenComparing(End::attempt);

  private record End(Instant at, AttemptKey attempt) {}

  private final AdmissionState state;
  private final EndAllowances allowances;
  private final Instant begun;

  /** Ends by time. An end that was moved stays in it and is ignored when it is due. */
  private final PriorityQueue<End> ends = new PriorityQueue<>(ORDER);

  AttemptEnds(AdmissionState state, Instant begun) {
    this.state = state;
    this.allowances = state.policy().ends();
    this.begun = begun;
    state.attempts().forEach(this::expect);
  }

  /** Expects the end of an attempt, or its earlier end. */
  void expect(Attempt attempt) {
    Instant at = end(attempt);
    if (at != null) {
      ends.add(new End(at, attempt.key()));
    }
  }

  private @Nullable Instant end(Attempt attempt) {
    Instant told = attempt.drainingAt();
    if (told != null && !usesItsLimit(attempt)) {
      Instant graceful = told.plus(attempt.gracePeriod());
      // Its grace period has passed without a report, so it takes its allowance too.
      return graceful.isBefore(begun) ? attempt.latestEnd(allowances) : graceful;
    }
    return attempt.latestEnd(allowances);
  }

  private static boolean usesItsLimit(Attempt attempt) {
    return !attempt.draining() || attempt.drain().cause() == DrainCause.TIME_LIMIT;
  }

  /** Returns the time of the next end; null if no attempt ends. */
  @Nullable Instant next() {
    End first = ends.peek();
    return first == null ? null : first.at();
  }

  /** Returns the reports of the attempts that have ended by now. */
  List<Input> due(Instant now) {
    List<Input> reports = new ArrayList<>();
    while (!ends.isEmpty() && !ends.element().at().isAfter(now)) {
      Attempt attempt = state.findAttempt(ends.remove().attempt());
      Instant at = attempt == null ? null : end(attempt);
      if (attempt != null && at != null && !at.isAfter(now)) {
        AttemptReport.Kind kind =
            usesItsLimit(attempt) ? AttemptReport.Kind.FINISHED : AttemptReport.Kind.DRAINED;
        reports.add(report(attempt, kind));
      }
    }
    return reports;
  }

  static Input report(Attempt attempt, AttemptReport.Kind kind) {
    return new Input.Report(new AttemptReport(attempt.key(), attempt.generation(), kind, null, ""));
  }
}
