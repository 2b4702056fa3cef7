// SPDX-License-Identifier: Apache-2.0
/**
 * Inputs of the engine from callers and executors, from their acknowledgement to their consumption.
 * It decides nothing.
 */
@NullMarked
package io.sluice.scheduler.store.input;

import org.jspecify.annotations.NullMarked;
