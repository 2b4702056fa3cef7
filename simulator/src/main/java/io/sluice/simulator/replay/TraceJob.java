// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import org.jspecify.annotations.Nullable;

/**
 * A job of a trace.
 *
 * @param id number; among jobs submitted in one second, the lower one is first
 * @param submitSeconds when it was submitted, on the clock of the trace
 * @param durationSeconds how long it ran
 * @param devices number of devices that it used
 * @param team empty: the trace names none
 * @param estimateSeconds the user's estimate of the duration; null: the trace has none
 */
public record TraceJob(
    long id,
    long submitSeconds,
    long durationSeconds,
    int devices,
    String team,
    @Nullable Long estimateSeconds) {}
