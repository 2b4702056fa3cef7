// SPDX-License-Identifier: Apache-2.0
/** Checks of the scripts of the console, and of the list of its files. */
@NullMarked
package io.sluice.console;

import org.jspecify.annotations.NullMarked;
