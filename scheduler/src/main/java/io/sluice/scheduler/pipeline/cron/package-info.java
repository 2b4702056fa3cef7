// SPDX-License-Identifier: Apache-2.0
/**
 * Cron lines: their meaning, their next fire time, and their form for Quartz. It does not know
 * schedules.
 */
@NullMarked
package io.sluice.scheduler.pipeline.cron;

import org.jspecify.annotations.NullMarked;
