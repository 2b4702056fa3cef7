// SPDX-License-Identifier: Apache-2.0
/**
 * What a server tells of itself: metrics of its queues and decisions, and whether it is ready. It
 * reads the committed view and counts what was committed; it decides nothing and stores nothing.
 */
@NullMarked
package io.sluice.scheduler.telemetry;

import org.jspecify.annotations.NullMarked;
