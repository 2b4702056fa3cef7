// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterWatch;
import io.sluice.scheduler.store.cluster.ClusterObjectRows;
import io.sluice.scheduler.store.leadership.Leadership;

/**
 * The collaborators of the attempts of one cluster.
 *
 * @param lead the leadership whose epoch every commit checks
 */
record ClusterWork(
    Cluster cluster,
    ClusterWatch watch,
    RefusedPods refused,
    Rendering rendering,
    ClusterObjectRows rows,
    ReportSink reports,
    Leadership lead) {}
