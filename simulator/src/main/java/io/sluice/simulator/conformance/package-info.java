// SPDX-License-Identifier: Apache-2.0
/**
 * Answers conformance cases with the classes of {@code admission}: loads a case into the engine's
 * state, asks, and writes the answer. It decides nothing itself.
 */
@NullMarked
package io.sluice.simulator.conformance;

import org.jspecify.annotations.NullMarked;
