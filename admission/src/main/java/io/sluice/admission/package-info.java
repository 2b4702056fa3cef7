// SPDX-License-Identifier: Apache-2.0
/**
 * The engine (state and time in, decisions out) and the round that drives it over its ports. It
 * does no I/O and knows no clock and no thread.
 */
@NullMarked
package io.sluice.admission;

import org.jspecify.annotations.NullMarked;
