// SPDX-License-Identifier: Apache-2.0
/** Attempts without processes: chosen run times and ends, in real time. It runs nothing. */
@NullMarked
package io.sluice.scheduler.execution.simulated;

import org.jspecify.annotations.NullMarked;
