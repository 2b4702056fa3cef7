// SPDX-License-Identifier: Apache-2.0
/**
 * The scheduling engine, which turns state and time into decisions, and the round that drives it
 * over ports. It does no I/O and uses no clock and no threads.
 */
@NullMarked
package io.sluice.admission;

import org.jspecify.annotations.NullMarked;
