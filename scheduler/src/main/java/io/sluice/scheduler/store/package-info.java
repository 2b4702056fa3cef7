// SPDX-License-Identifier: Apache-2.0
/**
 * What is kept in PostgreSQL, and the SQL to keep and read it. It decides nothing and starts
 * nothing.
 */
@NullMarked
package io.sluice.scheduler.store;

import org.jspecify.annotations.NullMarked;
