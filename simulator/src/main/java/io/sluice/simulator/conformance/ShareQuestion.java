// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.quota.DominantShare;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import java.util.SortedMap;

/** Answers the weighted share of each queue and cohort. */
final class ShareQuestion implements CaseQuestion {
  @Override
  public ObjectNode answer(ConformanceCase asked) {
    CaseFaults faults = new CaseFaults();
    QuotaTree tree = TreeReading.tree(asked.objects(), asked.action().path("usage"), faults);
    QuotaUsage usage = new QuotaUsage(tree);
    TreeReading.add(usage, asked.action().path("usage"), faults);
    SortedMap<Integer, Long> more =
        TreeReading.amounts(tree, asked.action().path("additionalUsage"));
    ObjectNode answer = CaseFields.object();
    ArrayNode nodes = answer.putArray("nodes");
    for (int number = 0; number < tree.size(); number++) {
      int node = number;
      more.forEach((flavorResource, amount) -> usage.add(node, flavorResource, amount));
      DominantShare share = DominantShare.of(usage, node);
      more.forEach((flavorResource, amount) -> usage.remove(node, flavorResource, amount));
      ObjectNode written = nodes.addObject();
      written.put("name", tree.name(node));
      written.put("type", tree.isQueue(node) ? "ClusterQueue" : "Cohort");
      written.put("share", share.rounded());
      written.put(
          "dominantResource", share.resource() == null ? null : share.resource().toString());
      written.put("borrowing", share.borrows());
    }
    faults.write(answer);
    return answer;
  }
}
