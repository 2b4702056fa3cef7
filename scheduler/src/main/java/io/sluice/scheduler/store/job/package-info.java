// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs and attempts as rows: submitted, listed, counted and read. It does not change what is
 * decided.
 */
@NullMarked
package io.sluice.scheduler.store.job;

import org.jspecify.annotations.NullMarked;
