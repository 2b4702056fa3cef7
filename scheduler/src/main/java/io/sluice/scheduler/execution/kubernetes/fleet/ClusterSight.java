// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import org.jspecify.annotations.Nullable;

/**
 * What is known of one cluster.
 *
 * @param observed null: its nodes were never listed since this server runs
 */
record ClusterSight(String cluster, @Nullable ObservedFleet observed) {}
