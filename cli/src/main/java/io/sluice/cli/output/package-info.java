// SPDX-License-Identifier: Apache-2.0
/** Formats answers for a terminal. It sends no requests. */
@NullMarked
package io.sluice.cli.output;

import org.jspecify.annotations.NullMarked;
