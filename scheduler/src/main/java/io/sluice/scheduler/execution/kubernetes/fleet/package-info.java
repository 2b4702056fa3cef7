// SPDX-License-Identifier: Apache-2.0
/**
 * Derives hosts and slices from the nodes of clusters, and reports changes to the engine. It runs
 * nothing on them and asks no provider for capacity.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.fleet;

import org.jspecify.annotations.NullMarked;
