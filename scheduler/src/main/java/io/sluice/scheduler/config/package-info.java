// SPDX-License-Identifier: Apache-2.0
/** Settings of a server, typed, and the directory that it owns. It starts nothing. */
@NullMarked
package io.sluice.scheduler.config;

import org.jspecify.annotations.NullMarked;
