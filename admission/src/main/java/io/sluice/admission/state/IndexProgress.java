// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

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
 */
public record IndexProgress(
    int attempts,
    int failures,
    int missedStarts,
    Duration executed,
    @Nullable Instant missedAt,
    @Nullable Instant notBefore) {
  /** Of a job that does not bound how long its attempts are admitted. */
  public IndexProgress(int attempts, int failures, int missedStarts, @Nullable Instant notBefore) {
    this(attempts, failures, missedStarts, Duration.ZERO, null, notBefore);
  }
}
