// SPDX-License-Identifier: Apache-2.0
/**
 * What callers and executors tell the engine, from its acknowledgement to its consumption. It
 * decides nothing.
 */
@NullMarked
package io.sluice.scheduler.store.input;

import org.jspecify.annotations.NullMarked;
