// SPDX-License-Identifier: Apache-2.0
/**
 * Schedules and backfills: when a run is due, and the transactions that begin it exactly once. It
 * does not advance runs.
 */
@NullMarked
package io.sluice.scheduler.pipeline.schedule;

import org.jspecify.annotations.NullMarked;
