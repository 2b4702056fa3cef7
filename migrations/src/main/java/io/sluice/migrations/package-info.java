// SPDX-License-Identifier: Apache-2.0
/**
 * Migrates a database to the schema of this version. It reads and writes no rows of the
 * application.
 */
@NullMarked
package io.sluice.migrations;

import org.jspecify.annotations.NullMarked;
