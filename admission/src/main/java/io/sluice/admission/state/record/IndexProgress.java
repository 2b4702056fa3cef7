// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an index that has not ended.
 *
 * @param attempts number of its last attempt; 0 if there was none
 * @param failures number of attempts that count as failures
 * @param missedStarts number of consecutive missed starts, up to the last attempt
 * @param executed execution time of its ended attempts; zero if its job has no limit
 * @param missedAt when its last attempt ended, if that missed its start; else null
 * @param notBefore earliest time of its next admission; null for at once, or if it is live
 * @param checkpoint checkpoint for its next start; null for the beginning
 */
public record IndexProgress(
    int attempts,
    int failures,
    int missedStarts,
    Duration executed,
    @Nullable Instant missedAt,
    @Nullable Instant notBefore,
    @Nullable String checkpoint) {
  /** The progress of an index without attempts. */
  public static final IndexProgress NONE = new IndexProgress(0, 0, 0, null);

  /** Creates the progress of an index whose job does not limit its execution time. */
  public IndexProgress(int attempts, int failures, int missedStarts, @Nullable Instant notBefore) {
    this(attempts, failures, missedStarts, Duration.ZERO, null, notBefore, null);
  }

  public IndexProgress admitted(int attempt) {
    return new IndexProgress(attempt, failures, missedStarts, executed, null, null, checkpoint);
  }

  /** A start in time ends a series of missed starts. */
  public IndexProgress started() {
    return new IndexProgress(attempts, failures, 0, executed, null, null, checkpoint);
  }

  /**
   * Returns the progress after the attempt has ended.
   *
   * @param counted execution time of the attempt, zero if the job has no limit
   */
  public IndexProgress ended(
      AttemptRecord.Result result, Duration counted, @Nullable Instant endedAt) {
    return new IndexProgress(
        attempts,
        failures + (result.countsAsFailure() ? 1 : 0),
        missedStarts + (result.missedStart() ? 1 : 0),
        executed.plus(counted),
        result.missedStart() ? endedAt : null,
        null,
        checkpoint);
  }

  public IndexProgress requeued(Instant time) {
    return new IndexProgress(
        attempts, failures, missedStarts, executed, missedAt, time, checkpoint);
  }

  public IndexProgress saved(String text) {
    return new IndexProgress(attempts, failures, missedStarts, executed, missedAt, notBefore, text);
  }
}
