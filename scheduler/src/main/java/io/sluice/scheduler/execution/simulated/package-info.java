// SPDX-License-Identifier: Apache-2.0
/**
 * An executor without processes: attempts with configured run times and exit codes, in real time.
 * It runs nothing.
 */
@NullMarked
package io.sluice.scheduler.execution.simulated;

import org.jspecify.annotations.NullMarked;
