// SPDX-License-Identifier: Apache-2.0
/**
 * Runs a PostgreSQL server of the application's own in a directory: unpacks it, makes its cluster,
 * starts and stops it. It knows nothing of the tables inside and keeps no two applications apart:
 * whoever starts it holds the lock on the directory.
 */
@NullMarked
package io.sluice.scheduler.postgres;

import org.jspecify.annotations.NullMarked;
