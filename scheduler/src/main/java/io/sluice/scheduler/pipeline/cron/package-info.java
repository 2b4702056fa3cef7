// SPDX-License-Identifier: Apache-2.0
/**
 * Cron lines: what they mean, when they fire next, and how Quartz writes them. It does not know
 * what fires.
 */
@NullMarked
package io.sluice.scheduler.pipeline.cron;

import org.jspecify.annotations.NullMarked;
