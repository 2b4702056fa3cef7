// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.QueueState;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/** The amounts of all ClusterQueues, and the nodes that exceed their quota. */
final class QuotaAccount {
  static final Comparator<FlavorResources.Pair> PAIRS =
      Comparator.comparing(FlavorResources.Pair::flavor)
          .thenComparing(FlavorResources.Pair::resource);

  static final Comparator<Preview.Node> NODES =
      Comparator.comparing(Preview.Node::name).thenComparing(Preview.Node::queue);

  /** The usage of a node beyond its limit. */
  record Beyond(int node, long most, long used) {
    long excess() {
      return used - most;
    }
  }

  private final SortedMap<String, SortedMap<FlavorResources.Pair, Preview.Amounts>> queues =
      new TreeMap<>();
  private final SortedMap<Preview.Node, SortedMap<FlavorResources.Pair, Beyond>> beyond =
      new TreeMap<>(NODES);

  /** Copies the current amounts; later changes of the state have no effect. */
  QuotaAccount(AdmissionState state) {
    QuotaTree tree = state.ledger().tree();
    QuotaUsage held = state.ledger().held();
    for (QueueState queue : state.queues()) {
      queues.put(queue.name(), amounts(tree, held, queue.node()));
    }
    for (int node = 0; node < tree.size(); node++) {
      for (int number = 0; number < tree.flavorResources().size(); number++) {
        Beyond found = new Beyond(node, tree.usageLimit(node, number), held.used(node, number));
        if (found.used() > found.most()) {
          beyond
              .computeIfAbsent(
                  new Preview.Node(tree.isQueue(node), tree.name(node)),
                  absent -> new TreeMap<>(PAIRS))
              .put(tree.flavorResources().pair(number), found);
        }
      }
    }
  }

  private static SortedMap<FlavorResources.Pair, Preview.Amounts> amounts(
      QuotaTree tree, QuotaUsage held, int node) {
    SortedMap<FlavorResources.Pair, Preview.Amounts> amounts = new TreeMap<>(PAIRS);
    for (int number = 0; number < tree.flavorResources().size(); number++) {
      Preview.Amounts found =
          new Preview.Amounts(
              tree.nominal(node, number),
              tree.potentiallyAvailable(node, number),
              held.used(node, number));
      if (!found.equals(Preview.Amounts.NONE)) {
        amounts.put(tree.flavorResources().pair(number), found);
      }
    }
    return amounts;
  }

  /** Returns the amounts by ClusterQueue, without pairs that have neither quota nor usage. */
  SortedMap<String, SortedMap<FlavorResources.Pair, Preview.Amounts>> queues() {
    return queues;
  }

  /** Returns the nodes that exceed their quota. */
  SortedMap<Preview.Node, SortedMap<FlavorResources.Pair, Beyond>> beyond() {
    return beyond;
  }

  /** Returns the usage of a node beyond its limit; 0 if it is within. */
  long excess(Preview.Node node, FlavorResources.Pair pair) {
    SortedMap<FlavorResources.Pair, Beyond> found = beyond.get(node);
    Beyond one = found == null ? null : found.get(pair);
    return one == null ? 0 : one.excess();
  }
}
