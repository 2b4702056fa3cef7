// SPDX-License-Identifier: Apache-2.0
/** The typed settings of a server, and its data directory. It starts nothing. */
@NullMarked
package io.sluice.scheduler.config;

import org.jspecify.annotations.NullMarked;
