// SPDX-License-Identifier: Apache-2.0
/** Injected faults, and the clock of a simulation. */
@NullMarked
package io.sluice.simulator.fault;

import org.jspecify.annotations.NullMarked;
