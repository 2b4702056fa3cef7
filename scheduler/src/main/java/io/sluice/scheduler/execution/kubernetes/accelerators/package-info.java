// SPDX-License-Identifier: Apache-2.0
/**
 * Reads accelerator use of jobs from the metrics that nodes and pods expose. It keeps no history; a
 * monitoring system does that.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.accelerators;

import org.jspecify.annotations.NullMarked;
