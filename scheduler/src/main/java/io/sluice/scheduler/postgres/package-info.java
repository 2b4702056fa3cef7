// SPDX-License-Identifier: Apache-2.0
/**
 * Runs a PostgreSQL server of the application's own in a directory: unpacks it, creates its
 * cluster, starts and stops it. It does not know the tables inside, and does not lock the
 * directory: its caller must.
 */
@NullMarked
package io.sluice.scheduler.postgres;

import org.jspecify.annotations.NullMarked;
