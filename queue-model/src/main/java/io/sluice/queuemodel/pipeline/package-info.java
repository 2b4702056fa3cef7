// SPDX-License-Identifier: Apache-2.0
/**
 * Pipelines as they are written: steps, what each waits for, and when runs begin. It does not know
 * what became of a run.
 */
@NullMarked
package io.sluice.queuemodel.pipeline;

import org.jspecify.annotations.NullMarked;
