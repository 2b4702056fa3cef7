// SPDX-License-Identifier: Apache-2.0
/**
 * Pipelines and their runs: the operations of users, and the advance of runs. It does not decide
 * when a job is admitted.
 */
@NullMarked
package io.sluice.scheduler.pipeline;

import org.jspecify.annotations.NullMarked;
