// SPDX-License-Identifier: Apache-2.0
/** Completion scripts for shells, generated from the commands. */
@NullMarked
package io.sluice.cli.completion;

import org.jspecify.annotations.NullMarked;
