// SPDX-License-Identifier: Apache-2.0
/**
 * The rows of jobs and attempts: inserted at submission, listed, counted and read. It does not
 * write decisions.
 */
@NullMarked
package io.sluice.scheduler.store.job;

import org.jspecify.annotations.NullMarked;
