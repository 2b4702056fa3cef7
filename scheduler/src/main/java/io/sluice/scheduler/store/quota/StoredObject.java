// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import io.sluice.queuemodel.quota.QuotaObject;
import java.time.Instant;

/**
 * A quota object as stored.
 *
 * @param generation 1 at its creation, increased by each change
 */
public record StoredObject(
    QuotaObject object, long generation, Instant createdAt, Instant changedAt) {}
