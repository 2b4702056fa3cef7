// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the embedded PostgreSQL, and the databases that other tests run on. They check no table
 * of the application.
 */
@NullMarked
package io.sluice.scheduler.postgres;

import org.jspecify.annotations.NullMarked;
