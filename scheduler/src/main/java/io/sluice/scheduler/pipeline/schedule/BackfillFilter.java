// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import io.sluice.scheduler.security.NamespaceScope;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A filter for a list of backfills, the newest first.
 *
 * @param namespaces of whose schedules backfills are listed
 * @param pipeline null: all
 * @param before the last backfill of the previous page; null: starts with the newest
 */
public record BackfillFilter(
    NamespaceScope namespaces, @Nullable String pipeline, @Nullable UUID before) {}
