// SPDX-License-Identifier: Apache-2.0
/**
 * Several packaged servers on one database, stopped and killed from outside. It looks at nothing
 * inside a server.
 */
@NullMarked
package io.sluice.scheduler.takeover;

import org.jspecify.annotations.NullMarked;
