// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.queuemodel.event.FailureCause;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last try of one part of a step.
 *
 * @param number of the part, from 0
 * @param tryNumber from 1, and never reused in this run
 * @param triesBefore earlier tries of the part since the last reset of its step
 * @param state of the try: WAITING until its job is submitted
 * @param job null until then
 * @param output as JSON; null: none
 * @param cause why it failed; null: it did not, or its job never began
 * @param notBefore earliest time to submit its job; null: as soon as there is room for it
 */
public record RunPart(
    int number,
    int tryNumber,
    int triesBefore,
    StepState state,
    @Nullable UUID job,
    @Nullable String output,
    @Nullable FailureCause cause,
    @Nullable Instant notBefore) {}
