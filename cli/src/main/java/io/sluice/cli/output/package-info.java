// SPDX-License-Identifier: Apache-2.0
/** How answers look in a terminal. It asks nobody. */
@NullMarked
package io.sluice.cli.output;

import org.jspecify.annotations.NullMarked;
