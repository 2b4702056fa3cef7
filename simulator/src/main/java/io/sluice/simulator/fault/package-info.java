// SPDX-License-Identifier: Apache-2.0
/** Faults that a simulation puts in, and the clock that it runs by. */
@NullMarked
package io.sluice.simulator.fault;

import org.jspecify.annotations.NullMarked;
