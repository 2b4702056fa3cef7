// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.QueueKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** Assigns job ids to the workloads of a case in the order of their uids, then of the list. */
final class WorkloadNumbers {
  private final List<JobId> ids = new ArrayList<>();

  /** Numbers for entries that each have a workload. */
  WorkloadNumbers(Gates gates, JsonNode entries) {
    List<CaseWorkload> workloads = new ArrayList<>();
    entries.forEach(entry -> workloads.add(new CaseWorkload(entry.path("workload"), gates)));
    number(workloads);
  }

  WorkloadNumbers(List<CaseWorkload> workloads) {
    number(workloads);
  }

  private void number(List<CaseWorkload> workloads) {
    List<Integer> places = new ArrayList<>();
    for (int place = 0; place < workloads.size(); place++) {
      places.add(place);
      ids.add(new JobId(new UUID(0, 0)));
    }
    places.sort(Comparator.comparing((Integer place) -> workloads.get(place).uid()));
    for (int rank = 0; rank < places.size(); rank++) {
      ids.set(places.get(rank), new JobId(new UUID(0, rank + 1L)));
    }
  }

  JobId id(int place) {
    return ids.get(place);
  }

  /** A workload as the orders look at it. */
  Workload workload(int place, CaseWorkload workload, QueueTimestamp timestamp) {
    return workload(
        place,
        workload,
        timestamp,
        new QueueKey(workload.namespace(), workload.queueName()),
        new WorkloadShape(List.of(), null));
  }

  Workload workload(
      int place,
      CaseWorkload workload,
      QueueTimestamp timestamp,
      QueueKey queue,
      WorkloadShape shape) {
    return new Workload(
        id(place),
        workload.name(),
        queue,
        new WorkloadPriority(priority(workload), false),
        new Workload.Submitted(timestamp.of(workload), ""),
        shape,
        JobLimits.DEFAULT,
        JobArray.SINGLE);
  }

  /** Priorities beyond what a workload can have are as good as the last that it can. */
  private static int priority(CaseWorkload workload) {
    long effective = WorkloadPriority.boosted(workload.basePriority(), workload.boost());
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, effective));
  }
}
