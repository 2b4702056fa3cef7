// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far an index has come that has not ended.
 *
 * @param attempts number of its last attempt, 0 if there was none
 * @param failures how many of them count as failures
 * @param missedStarts how many of them in a row, up to the last, did not start in time
 * @param executed for how long attempts of it that have ended were admitted in all; zero if its job
 *     does not bound that
 * @param missedAt when its last attempt was gone, if that did not start in time; else null
 * @param notBefore when it may be admitted again; null: at once, or it is live
 * @param checkpoint what its next start goes on from; null: from the beginning
 */
public record IndexProgress(
    int attempts,
    int failures,
    int missedStarts,
    Duration executed,
    @Nullable Instant missedAt,
    @Nullable Instant notBefore,
    @Nullable String checkpoint) {
  /** Of one that nothing is known of yet. */
  public static final IndexProgress NONE = new IndexProgress(0, 0, 0, null);

  /** Of a job that does not bound how long its attempts are admitted. */
  public IndexProgress(int attempts, int failures, int missedStarts, @Nullable Instant notBefore) {
    this(attempts, failures, missedStarts, Duration.ZERO, null, notBefore, null);
  }

  public IndexProgress admitted(int attempt) {
    return new IndexProgress(attempt, failures, missedStarts, executed, null, null, checkpoint);
  }

  /** Who started in time has missed no start. */
  public IndexProgress started() {
    return new IndexProgress(attempts, failures, 0, executed, null, null, checkpoint);
  }

  /**
   * After its attempt has ended.
   *
   * @param counted for how long that was admitted, if it is counted
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
