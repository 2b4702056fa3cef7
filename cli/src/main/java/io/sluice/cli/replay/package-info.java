// SPDX-License-Identifier: Apache-2.0
/** The command that replays a trace of jobs on this machine. It asks no server. */
@NullMarked
package io.sluice.cli.replay;

import org.jspecify.annotations.NullMarked;
