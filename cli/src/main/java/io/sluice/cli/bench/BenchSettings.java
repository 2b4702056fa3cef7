// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a load is submitted.
 *
 * @param callers number of threads that submit, each over a connection of its own
 * @param planned whether the queues plan starts; otherwise they behave as Kueue's
 * @param timeLimitFactor the time limit of a job is this times its run time; null: no time limit
 * @param limit the longest time from the first submission to the end of the last job
 */
record BenchSettings(
    int callers, boolean planned, @Nullable BigDecimal timeLimitFactor, Duration limit) {}
