// SPDX-License-Identifier: Apache-2.0
/**
 * Runs of pipelines: what is next in each, and the transactions that make it so. It does not decide
 * when a job is admitted.
 */
@NullMarked
package io.sluice.scheduler.pipeline;

import org.jspecify.annotations.NullMarked;
