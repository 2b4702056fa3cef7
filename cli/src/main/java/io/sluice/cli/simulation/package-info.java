// SPDX-License-Identifier: Apache-2.0
/** The command that simulates changes on a server. It changes nothing. */
@NullMarked
package io.sluice.cli.simulation;

import org.jspecify.annotations.NullMarked;
