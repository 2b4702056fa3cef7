// SPDX-License-Identifier: Apache-2.0
/**
 * Writes a backup of a database while servers use it, and restores one into an empty database. It
 * reads the tables from the catalogue of PostgreSQL and does not know their meaning; it starts no
 * server.
 */
@NullMarked
package io.sluice.scheduler.backup;

import org.jspecify.annotations.NullMarked;
