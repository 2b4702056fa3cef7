// SPDX-License-Identifier: Apache-2.0
/**
 * Answers conformance cases by the classes of {@code admission}: reads what a case describes into
 * the engine's state, asks, and writes what came of it. It decides nothing itself.
 */
@NullMarked
package io.sluice.simulator.conformance;

import org.jspecify.annotations.NullMarked;
