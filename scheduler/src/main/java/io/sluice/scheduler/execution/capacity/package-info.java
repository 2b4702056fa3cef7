// SPDX-License-Identifier: Apache-2.0
/**
 * Capacity that comes and goes as the fleet file and callers say. It does not decide who gets it.
 */
@NullMarked
package io.sluice.scheduler.execution.capacity;

import org.jspecify.annotations.NullMarked;
