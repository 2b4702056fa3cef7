// SPDX-License-Identifier: Apache-2.0
/** Servers that a command starts for itself, and ends. It sends them no requests. */
@NullMarked
package io.sluice.cli.server;

import org.jspecify.annotations.NullMarked;
