// SPDX-License-Identifier: Apache-2.0
/**
 * The commands for tokens of callers: those that the server issues, and lines of the tokens file.
 */
@NullMarked
package io.sluice.cli.token;

import org.jspecify.annotations.NullMarked;
