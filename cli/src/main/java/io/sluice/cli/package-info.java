// SPDX-License-Identifier: Apache-2.0
/** The commands. They call a server over HTTP, or the engine on files. */
@NullMarked
package io.sluice.cli;

import org.jspecify.annotations.NullMarked;
