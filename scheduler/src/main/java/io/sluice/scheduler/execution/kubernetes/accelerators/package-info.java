// SPDX-License-Identifier: Apache-2.0
/**
 * Reads how much of their accelerators jobs use, from the metrics that nodes and pods expose. It
 * keeps no history: that is what a monitoring system is for.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.accelerators;

import org.jspecify.annotations.NullMarked;
