// SPDX-License-Identifier: Apache-2.0
/**
 * Makes hosts and slices of the nodes of clusters, and tells the engine of what changes about them.
 * It runs nothing on them and asks no provider for more.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.fleet;

import org.jspecify.annotations.NullMarked;
