// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of several packaged servers on one database, which are stopped and killed from outside.
 * They inspect nothing inside a server.
 */
@NullMarked
package io.sluice.scheduler.takeover;

import org.jspecify.annotations.NullMarked;
