// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.ordering.VictimOrder;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Attempt;
import io.sluice.admission.state.Usage;
import io.sluice.queuemodel.job.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Who uses more than there is for it, and which attempts make it so. */
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

  /** An attempt in the order in which it would be evicted, and what it uses of a pair. */
  private record User(Attempt attempt, long amount) implements VictimOrder.Orderable {
    @Override
    public Workload workload() {
      return attempt.job().workload();
    }

    @Override
    public String clusterQueue() {
      return attempt.job().queue().name();
    }

    @Override
    public Instant admittedAt() {
      return attempt.admittedAt();
    }

    @Override
    public int index() {
      return attempt.key().index();
    }
  }

  /** Nodes whose excess the edit makes, or makes larger. */
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
    for (User user : users(beyond.node(), pair)) {
      if (left > 0) {
        attempts.add(Previewer.holder(user.attempt().job(), user.attempt().key()));
        left -= user.amount();
      }
    }
    return new Preview.Excess(
        node, pair, beyond.most(), beyond.used(), beyond.excess(), before, Listed.of(attempts));
  }

  /** Of a cohort those in queues that borrow: who keeps to his own is not the one too many. */
  private List<User> users(int node, FlavorResources.Pair pair) {
    int number = tree.flavorResources().find(pair.flavor(), pair.resource());
    List<User> users = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      int queue = attempt.job().queue().node();
      boolean counts = queue == node || (isBelow(queue, node) && held.borrows(queue, number));
      long amount = counts ? amount(attempt.usage(), number) : 0;
      if (amount > 0) {
        users.add(new User(attempt, amount));
      }
    }
    users.sort(VictimOrder.seenFrom(NO_QUEUE));
    return users;
  }

  private boolean isBelow(int queue, int node) {
    int at = queue;
    while (at != node && tree.hasParent(at)) {
      at = tree.parent(at);
    }
    return at == node;
  }

  private static long amount(Usage usage, int number) {
    for (int at = 0; at < usage.size(); at++) {
      if (usage.flavorResource(at) == number) {
        return usage.amount(at);
      }
    }
    return 0;
  }
}
