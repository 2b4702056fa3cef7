// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.definition;

import io.sluice.queuemodel.pipeline.Pipeline;
import java.time.Instant;

/**
 * A pipeline as it is stored.
 *
 * @param version from 1; each save that changes anything makes another
 * @param runs how many there have been
 */
public record StoredPipeline(
    Pipeline pipeline, int version, long runs, Instant createdAt, Instant updatedAt) {}
