// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.pipeline;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits, deadline and retention of each run of a pipeline.
 *
 * @param timeLimit after which what runs of it is cancelled, and it has failed; null: none
 * @param deadline after its logical time, by when it is wanted; null: whenever
 * @param priorityClass of its jobs; null: none
 * @param keepFor how long its history is kept after its end
 * @param whenLate what becomes of one that will not meet its deadline; null: nothing
 */
public record RunTerms(
    @Nullable Duration timeLimit,
    @Nullable Duration deadline,
    @Nullable String priorityClass,
    Duration keepFor,
    @Nullable WhenLate whenLate) {
  public static final Duration KEEP_FOR = Duration.ofDays(90);
  public static final RunTerms DEFAULT = new RunTerms(null, null, null, KEEP_FOR, null);
}
