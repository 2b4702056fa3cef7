// SPDX-License-Identifier: Apache-2.0
/**
 * Drives the rounds of the leader: journal on PostgreSQL, wake-ups, and the committed view that
 * serves reads. Decisions belong to the engine.
 */
@NullMarked
package io.sluice.scheduler.loop;

import org.jspecify.annotations.NullMarked;
