// SPDX-License-Identifier: Apache-2.0
/**
 * Virtual capacity that comes and goes as the fleet file and callers say. It does not decide which
 * job gets it.
 */
@NullMarked
package io.sluice.scheduler.execution.capacity;

import org.jspecify.annotations.NullMarked;
