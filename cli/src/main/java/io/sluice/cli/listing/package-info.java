// SPDX-License-Identifier: Apache-2.0
/** The command {@code get}: reads objects and formats them as tables. */
@NullMarked
package io.sluice.cli.listing;

import org.jspecify.annotations.NullMarked;
