// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.job.WorkloadPriority;

/** Answers the effective priority of a workload, with its boost. */
final class PriorityQuestion implements CaseQuestion {
  @Override
  public ObjectNode answer(ConformanceCase asked) {
    CaseWorkload workload = new CaseWorkload(asked.action().path("workload"), asked.gates());
    ObjectNode answer = CaseFields.object();
    answer.put("effective", WorkloadPriority.boosted(workload.basePriority(), workload.boost()));
    answer.put("base", workload.basePriority());
    answer.put("boost", workload.boost());
    return answer;
  }
}
