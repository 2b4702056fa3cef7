// SPDX-License-Identifier: Apache-2.0
/** Queues, quota and compute classes over REST, and the import from Kueue. */
@NullMarked
package io.sluice.scheduler.api.quota;

import org.jspecify.annotations.NullMarked;
