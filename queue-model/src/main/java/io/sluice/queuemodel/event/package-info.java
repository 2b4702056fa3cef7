// SPDX-License-Identifier: Apache-2.0
/**
 * What is said about jobs: inputs, which callers and executors write, and events, which the engine
 * decides; with what they carry. It decides nothing.
 */
@NullMarked
package io.sluice.queuemodel.event;

import org.jspecify.annotations.NullMarked;
