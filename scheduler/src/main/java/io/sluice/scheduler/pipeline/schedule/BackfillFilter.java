// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The backfills to list, the newest first.
 *
 * @param namespace null: of every namespace
 * @param pipeline null: of every pipeline
 * @param before the last backfill of the page before; null: from the newest on
 */
public record BackfillFilter(
    @Nullable String namespace, @Nullable String pipeline, @Nullable UUID before) {}
