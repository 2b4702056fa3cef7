// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A filter for a list of backfills, the newest first.
 *
 * @param namespace null: all
 * @param pipeline null: all
 * @param before the last backfill of the previous page; null: starts with the newest
 */
public record BackfillFilter(
    @Nullable String namespace, @Nullable String pipeline, @Nullable UUID before) {}
