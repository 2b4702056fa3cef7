// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.definition;

import io.sluice.queuemodel.pipeline.Pipeline;
import java.time.Instant;

/**
 * A pipeline as stored.
 *
 * @param version from 1, increased by each save that changes the pipeline
 * @param runs number of its runs so far
 */
public record StoredPipeline(
    Pipeline pipeline, int version, long runs, Instant createdAt, Instant updatedAt) {}
