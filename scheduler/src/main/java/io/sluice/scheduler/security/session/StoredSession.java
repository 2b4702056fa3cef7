// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.session;

import io.sluice.scheduler.security.BrowserSession;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A session as stored.
 *
 * @param lastUsedAt of a use, exact to {@link SessionRefresh#USE_WRITTEN_EVERY}; null: never used
 */
public record StoredSession(
    BrowserSession session, Instant createdAt, @Nullable Instant lastUsedAt) {}
