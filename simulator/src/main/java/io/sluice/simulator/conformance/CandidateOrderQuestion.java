// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.ordering.UsageShare;
import io.sluice.admission.ordering.VictimOrder;
import io.sluice.queuemodel.job.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers in which order candidates are considered as victims. */
final class CandidateOrderQuestion implements CaseQuestion {
  private record Candidate(
      Workload workload,
      String clusterQueue,
      Instant admittedAt,
      boolean leaving,
      @Nullable UsageShare localQueueUsage)
      implements VictimOrder.Orderable {
    @Override
    public int index() {
      return 0;
    }
  }

  @Override
  public ObjectNode answer(ConformanceCase asked) {
    JsonNode action = asked.action();
    boolean byUsage = action.path("admissionFairSharing").asBoolean();
    WorkloadNumbers numbers = new WorkloadNumbers(asked.gates(), action.path("candidates"));
    QueueTimestamp timestamp = QueueTimestamp.usual(asked.gates());
    List<Candidate> candidates = new ArrayList<>();
    for (JsonNode candidate : action.path("candidates")) {
      CaseWorkload workload = new CaseWorkload(candidate.path("workload"), asked.gates());
      JsonNode reserved = workload.condition("QuotaReserved");
      Instant since = reserved == null ? null : CaseFields.instant(reserved, "lastTransitionTime");
      JsonNode usage = candidate.path("localQueueFairSharingUsage");
      candidates.add(
          new Candidate(
              numbers.workload(candidates.size(), workload, timestamp),
              CaseFields.text(candidate, "clusterQueue", workload.admittedBy()),
              since == null ? asked.now() : since,
              workload.evicted(),
              byUsage && usage.isNumber() ? UsageShare.of(usage.decimalValue()) : null));
    }
    candidates.sort(VictimOrder.seenFrom(CaseFields.text(action, "preemptorClusterQueue", "")));
    ObjectNode answer = CaseFields.object();
    ArrayNode order = answer.putArray("order");
    candidates.forEach(candidate -> order.add(candidate.workload().name()));
    return answer;
  }
}
