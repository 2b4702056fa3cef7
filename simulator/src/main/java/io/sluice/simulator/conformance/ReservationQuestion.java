// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.cycle.isolated.CapacityReservation;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import java.util.SortedMap;

/** Answers how much capacity is reserved for an assignment that cannot be admitted now. */
final class ReservationQuestion implements CaseQuestion {
  @Override
  public ObjectNode answer(ConformanceCase asked) {
    JsonNode action = asked.action();
    String queue = CaseFields.text(action, "clusterQueue", "");
    CaseFaults faults = new CaseFaults();
    ObjectNode used = CaseFields.object();
    used.set(queue, action.path("clusterQueueUsage"));
    QuotaTree tree = TreeReading.tree(asked.objects(), used, faults);
    QuotaUsage usage = new QuotaUsage(tree);
    TreeReading.add(usage, used, faults);
    SortedMap<Integer, Long> wanted = TreeReading.amounts(tree, action.path("assignmentUsage"));
    SortedMap<Integer, Long> reserved =
        CaseFields.text(action, "assignmentMode", "").equals("Preempt")
            ? CapacityReservation.of(
                usage,
                TreeReading.requireQueue(tree, queue),
                wanted,
                action.path("borrowingLevel").asInt() > 0)
            : wanted;
    ObjectNode answer = CaseFields.object();
    ObjectNode byFlavor = answer.putObject("reserved");
    reserved.forEach((number, amount) -> TreeReading.put(byFlavor, tree, number, amount));
    faults.write(answer);
    return answer;
  }
}
