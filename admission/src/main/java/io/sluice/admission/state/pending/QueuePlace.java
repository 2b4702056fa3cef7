// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.pending;

import io.sluice.admission.ordering.QueueOrder;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.job.Workload;

/**
 * A place in the order of a queue: where a job stood at some time, whatever becomes of the job.
 *
 * @param order see {@link JobEntry#order}
 */
record QueuePlace(long order, Workload workload) {
  static QueuePlace of(JobEntry job) {
    return new QueuePlace(job.order(), job.workload());
  }

  /** Whether a job stands behind this place. */
  boolean isBefore(JobEntry job) {
    return order == job.order()
        ? QueueOrder.OF_WORKLOADS.compare(workload, job.workload()) < 0
        : order < job.order();
  }
}
