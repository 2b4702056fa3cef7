// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.event.text.Checkpoint;
import io.sluice.queuemodel.event.text.ReportText;
import io.sluice.queuemodel.job.AttemptKey;
import org.jspecify.annotations.Nullable;

/**
 * A report of an executor about an attempt. Reports of an attempt or generation that is not current
 * change nothing, but a checkpoint that a generation made last while the next has not begun.
 *
 * @param cause of a failure, else null
 * @param message one line for people, kept as {@link ReportText} says; empty if there is nothing to
 *     say
 */
public record AttemptReport(
    AttemptKey attempt, int generation, Kind kind, @Nullable FailureCause cause, String message) {
  public AttemptReport {
    message = ReportText.of(message);
  }

  /** What happened. */
  public enum Kind {
    /** Every process was started. */
    STARTED,
    /** A host of it came on; the message is what it says of that, at most 200 characters. */
    PROGRESS,
    /**
     * It saved where it has come to; the message names what a later start goes on from, as a {@link
     * Checkpoint} does.
     */
    CHECKPOINT,
    /** Every process ended with code 0; nothing of the attempt is left. */
    FINISHED,
    /** A process failed; others may still be there. */
    FAILED,
    /** Nothing of the attempt is left. */
    DRAINED
  }
}
