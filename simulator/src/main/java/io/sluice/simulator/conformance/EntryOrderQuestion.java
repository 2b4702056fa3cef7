// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.ordering.EntryOrder;
import io.sluice.queuemodel.job.Workload;
import java.util.ArrayList;
import java.util.List;

/** Answers in which order a cycle serves its entries. */
final class EntryOrderQuestion implements CaseQuestion {
  private record Entry(Workload workload, int borrowingLevel, boolean preemptor)
      implements EntryOrder.Orderable {}

  @Override
  public ObjectNode answer(ConformanceCase asked) {
    JsonNode action = asked.action();
    QueueTimestamp timestamp =
        new QueueTimestamp(
            asked.gates(),
            !CaseFields.text(action, "podsReadyRequeuingTimestamp", "").equals("Creation"));
    WorkloadNumbers numbers = new WorkloadNumbers(asked.gates(), action.path("entries"));
    List<Entry> entries = new ArrayList<>();
    for (JsonNode entry : action.path("entries")) {
      CaseWorkload workload = new CaseWorkload(entry.path("workload"), asked.gates());
      entries.add(
          new Entry(
              numbers.workload(entries.size(), workload, timestamp),
              entry.path("borrowingLevel").asInt(),
              entry.path("isPreemptor").asBoolean()));
    }
    entries.sort(asked.gates().entryOrder().comparator());
    ObjectNode answer = CaseFields.object();
    ArrayNode order = answer.putArray("order");
    entries.forEach(entry -> order.add(entry.workload().name()));
    return answer;
  }
}
