// SPDX-License-Identifier: Apache-2.0
/**
 * Runs: their steps, how each advances, when it is expected to finish, and their rows. It does not
 * know schedules.
 */
@NullMarked
package io.sluice.scheduler.pipeline.run;

import org.jspecify.annotations.NullMarked;
