// SPDX-License-Identifier: Apache-2.0
/** The commands. They speak to a server over HTTP or to the engine on files. */
@NullMarked
package io.sluice.cli;

import org.jspecify.annotations.NullMarked;
