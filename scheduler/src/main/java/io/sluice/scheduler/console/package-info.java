// SPDX-License-Identifier: Apache-2.0
/** Serves the web console: its pages and the files that they load. */
@NullMarked
package io.sluice.scheduler.console;

import org.jspecify.annotations.NullMarked;
