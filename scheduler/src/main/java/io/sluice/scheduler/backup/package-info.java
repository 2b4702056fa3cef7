// SPDX-License-Identifier: Apache-2.0
/**
 * Writes a backup of a database while servers use it, and restores one into an empty database. It
 * knows tables by the catalogue of PostgreSQL, not by their meaning, and starts no server.
 */
@NullMarked
package io.sluice.scheduler.backup;

import org.jspecify.annotations.NullMarked;
