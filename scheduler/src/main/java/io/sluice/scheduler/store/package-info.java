// SPDX-License-Identifier: Apache-2.0
/**
 * The rows in PostgreSQL, and the SQL that reads and writes them. It decides nothing and starts
 * nothing.
 */
@NullMarked
package io.sluice.scheduler.store;

import org.jspecify.annotations.NullMarked;
