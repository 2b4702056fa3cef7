// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import org.jspecify.annotations.Nullable;

/**
 * The observation of one cluster.
 *
 * @param observed null: its nodes were not listed since this server started
 */
record ClusterSight(String cluster, @Nullable ObservedFleet observed) {}
