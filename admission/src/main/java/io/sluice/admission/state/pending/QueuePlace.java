// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.pending;

import io.sluice.admission.ordering.QueueOrder;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.job.Workload;

/**
 * A fixed position in queue order: that of a job at some time, independent of its later changes.
 *
 * @param order see {@link JobEntry#order}
 */
record QueuePlace(long order, Workload workload) {
  static QueuePlace of(JobEntry job) {
    return new QueuePlace(job.order(), job.workload());
  }

  /** Returns whether a job follows this place. */
  boolean isBefore(JobEntry job) {
    return order == job.order()
        ? QueueOrder.OF_WORKLOADS.compare(workload, job.workload()) < 0
        : order < job.order();
  }
}
