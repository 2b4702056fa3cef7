// SPDX-License-Identifier: Apache-2.0
/** {@code get}: lists of objects, and how they are shown as tables. */
@NullMarked
package io.sluice.cli.listing;

import org.jspecify.annotations.NullMarked;
