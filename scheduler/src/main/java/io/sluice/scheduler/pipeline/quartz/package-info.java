// SPDX-License-Identifier: Apache-2.0
/**
 * Triggers in Quartz's clustered store that wake whoever looks for due schedules. It does not
 * decide what fires: waking too often, or not at all, changes nothing but the time.
 */
@NullMarked
package io.sluice.scheduler.pipeline.quartz;

import org.jspecify.annotations.NullMarked;
