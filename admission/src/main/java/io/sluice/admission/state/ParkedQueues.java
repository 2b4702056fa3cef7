// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which queues have parked jobs, so that room that appears is offered to those that could use it:
 * quota to the queues of the same tree, slices to the queues with a flavor that offers them.
 */
final class ParkedQueues {
  private final TreeMap<Integer, TreeMap<String, QueueState>> byRoot = new TreeMap<>();
  private final TreeMap<String, Set<Integer>> rootsOfFlavor = new TreeMap<>();
  private final Set<Integer> touched = new TreeSet<>();
  private final Set<Integer> unparkedInRound = new TreeSet<>();

  void rebuild(QuotaTree tree, Collection<QueueState> queues) {
    byRoot.clear();
    rootsOfFlavor.clear();
    touched.clear();
    unparkedInRound.clear();
    for (QueueState queue : queues) {
      queue.pending().unpark();
      for (ResourceGroup group : queue.spec().resourceGroups()) {
        for (FlavorQuotas flavor : group.flavors()) {
          rootsOfFlavor
              .computeIfAbsent(flavor.flavor(), absent -> new TreeSet<>())
              .add(tree.root(queue.node()));
        }
      }
    }
  }

  void add(int root, QueueState queue) {
    byRoot.computeIfAbsent(root, absent -> new TreeMap<>()).put(queue.name(), queue);
  }

  void unpark(int root) {
    TreeMap<String, QueueState> parked = byRoot.remove(root);
    if (parked != null) {
      parked.values().forEach(queue -> queue.pending().unpark());
    }
  }

  /**
   * Notes that something was decided in a tree, which may let a parked job do what it could not.
   */
  void touch(int root) {
    touched.add(root);
  }

  /**
   * Tries again everybody in the trees in which something was decided since this was last called.
   *
   * @return whether anybody was parked there
   */
  boolean unparkTouched() {
    boolean any = false;
    for (int root : touched) {
      any |= byRoot.containsKey(root);
      unpark(root);
    }
    touched.clear();
    return any;
  }

  /** A round begins: everybody is tried again whom an earlier round may have left unfinished. */
  void beginRound() {
    unparkTouched();
    unparkedInRound.clear();
  }

  /**
   * Tries again everybody in the trees in which something was decided for the first time in this
   * round. Who was parked by an earlier round would fail in the tree as that round left it; once it
   * has changed, who was parked when must not matter, or a state without the marks would decide
   * otherwise.
   */
  void unparkFirstTouched() {
    for (int root : List.copyOf(touched)) {
      if (unparkedInRound.add(root)) {
        touched.remove(root);
        unpark(root);
      }
    }
  }

  void unparkUsersOf(List<String> flavors) {
    for (String flavor : flavors) {
      rootsOfFlavor.getOrDefault(flavor, Collections.emptySet()).forEach(this::unpark);
    }
  }

  void touchUsersOf(List<String> flavors) {
    for (String flavor : flavors) {
      touched.addAll(rootsOfFlavor.getOrDefault(flavor, Collections.emptySet()));
    }
  }

  void unparkAll() {
    List.copyOf(byRoot.keySet()).forEach(this::unpark);
  }
}
