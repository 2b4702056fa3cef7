// SPDX-License-Identifier: Apache-2.0
/**
 * Estimates when waiting jobs will start, beside the decisions, and records what came. It decides
 * nothing.
 */
@NullMarked
package io.sluice.scheduler.estimate;

import org.jspecify.annotations.NullMarked;
