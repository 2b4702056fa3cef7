// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterWatch;
import io.sluice.scheduler.store.cluster.ClusterObjectRows;
import io.sluice.scheduler.store.leadership.Leadership;

/**
 * What attempts of one cluster are run with.
 *
 * @param lead under which everything is committed
 */
record ClusterWork(
    Cluster cluster,
    ClusterWatch watch,
    RefusedPods refused,
    Rendering rendering,
    ClusterObjectRows rows,
    ReportSink reports,
    Leadership lead) {}
