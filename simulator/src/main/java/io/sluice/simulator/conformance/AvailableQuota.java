// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;

/** Answers the free quota of each queue, now and without usage. */
final class AvailableQuota implements CaseQuestion {
  @Override
  public ObjectNode answer(ConformanceCase asked) {
    CaseFaults faults = new CaseFaults();
    QuotaTree tree = TreeReading.tree(asked.objects(), asked.action().path("usage"), faults);
    QuotaUsage usage = new QuotaUsage(tree);
    TreeReading.add(usage, asked.action().path("usage"), faults);
    ObjectNode answer = CaseFields.object();
    ObjectNode available = answer.putObject("available");
    ObjectNode potentially = answer.putObject("potentiallyAvailable");
    for (int node = 0; node < tree.size(); node++) {
      if (tree.isQueue(node)) {
        ObjectNode now = available.putObject(tree.name(node));
        ObjectNode ever = potentially.putObject(tree.name(node));
        for (int number = 0; number < tree.flavorResources().size(); number++) {
          TreeReading.put(now, tree, number, Math.max(0, usage.available(node, number)));
          TreeReading.put(ever, tree, number, tree.potentiallyAvailable(node, number));
        }
      }
    }
    faults.write(answer);
    return answer;
  }
}
