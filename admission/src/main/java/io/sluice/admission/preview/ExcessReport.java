// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.explain.AttemptOrder;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import java.util.ArrayList;
import java.util.List;

/** Reports the nodes that exceed their quota, with the attempts that cause it. */
final class ExcessReport {
  private static final String NO_QUEUE = "";

  private final AdmissionState state;
  private final QuotaTree tree;
  private final QuotaUsage held;

  ExcessReport(AdmissionState state) {
    this.state = state;
    this.tree = state.ledger().tree();
    this.held = state.ledger().held();
  }

  /** Returns the nodes whose excess the edit causes or increases. */
  Listed<Preview.Excess> of(QuotaAccount without, QuotaAccount with) {
    List<Preview.Excess> found = new ArrayList<>();
    with.beyond()
        .forEach(
            (node, pairs) ->
                pairs.forEach(
                    (pair, beyond) -> {
                      long before = without.excess(node, pair);
                      if (beyond.excess() > before) {
                        found.add(excess(node, pair, beyond, before));
                      }
                    }));
    return Listed.of(found);
  }

  private Preview.Excess excess(
      Preview.Node node, FlavorResources.Pair pair, QuotaAccount.Beyond beyond, long before) {
    List<Preview.Holder> attempts = new ArrayList<>();
    long left = beyond.excess();
    int number = tree.flavorResources().find(pair.flavor(), pair.resource());
    for (Attempt user : users(beyond.node(), number)) {
      if (left > 0) {
        attempts.add(Previewer.holder(user.job(), user.key()));
        left -= user.usage().amountOf(number);
      }
    }
    return new Preview.Excess(
        node, pair, beyond.most(), beyond.used(), beyond.excess(), before, Listed.of(attempts));
  }

  /** Returns the users of a node in victim order; for a cohort, only those in borrowing queues. */
  private List<Attempt> users(int node, int number) {
    List<Attempt> users = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      int queue = attempt.job().queue().node();
      boolean counts = queue == node || (isBelow(queue, node) && held.borrows(queue, number));
      if (counts && attempt.usage().amountOf(number) > 0) {
        users.add(attempt);
      }
    }
    return AttemptOrder.seenFrom(NO_QUEUE, users);
  }

  private boolean isBelow(int queue, int node) {
    int at = queue;
    while (at != node && tree.hasParent(at)) {
      at = tree.parent(at);
    }
    return at == node;
  }
}
