// SPDX-License-Identifier: Apache-2.0
/**
 * The server as users start it: a process of its own, asked over HTTP. It reaches into no class of
 * the application.
 */
@NullMarked
package io.sluice.scheduler.process;

import org.jspecify.annotations.NullMarked;
