// SPDX-License-Identifier: Apache-2.0
/**
 * Triggers in Quartz's clustered store that wake the search for due schedules. It does not decide
 * what fires: too many wake-ups, or missing ones, change only the time of a fire.
 */
@NullMarked
package io.sluice.scheduler.pipeline.quartz;

import org.jspecify.annotations.NullMarked;
