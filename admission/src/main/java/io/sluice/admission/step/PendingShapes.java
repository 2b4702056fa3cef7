// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The pending jobs that growth checks: one job of each shape in each queue, and all jobs with
 * progress on a ladder, because those differ within a shape.
 *
 * @param queues the queues with pending jobs
 */
record PendingShapes(List<JobEntry> jobs, List<QueueState> queues) {
  static PendingShapes of(AdmissionState state) {
    List<JobEntry> jobs = new ArrayList<>();
    List<QueueState> queues = new ArrayList<>();
    for (QueueState queue : state.queues()) {
      int before = jobs.size();
      for (Iterator<JobEntry> line : queue.pending().lines(null)) {
        addFirst(line, jobs);
      }
      if (jobs.size() > before) {
        queues.add(queue);
      }
    }
    return new PendingShapes(List.copyOf(jobs), List.copyOf(queues));
  }

  private static void addFirst(Iterator<JobEntry> line, List<JobEntry> jobs) {
    while (line.hasNext()) {
      JobEntry next = line.next();
      jobs.add(next);
      if (next.ladder().isEmpty()) {
        return;
      }
    }
  }
}
