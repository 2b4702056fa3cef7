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
 * Which queues are to be tried. One of which nothing more can come waits, and is tried again when a
 * job comes in or room appears that it could use: quota in its own tree, slices of a flavor that it
 * offers.
 */
final class QueueTries {
  private final TreeMap<String, QueueState> toTry = new TreeMap<>();
  private final TreeMap<Integer, TreeMap<String, QueueState>> waiting = new TreeMap<>();
  private final TreeMap<String, Set<Integer>> rootsOfFlavor = new TreeMap<>();
  private final Set<Integer> touched = new TreeSet<>();
  private final Set<Integer> unparkedInRound = new TreeSet<>();

  void rebuild(QuotaTree tree, Collection<QueueState> queues) {
    waiting.clear();
    toTry.clear();
    rootsOfFlavor.clear();
    touched.clear();
    unparkedInRound.clear();
    for (QueueState queue : queues) {
      queue.pending().unpark();
      toTry.put(queue.name(), queue);
      for (ResourceGroup group : queue.spec().resourceGroups()) {
        for (FlavorQuotas flavor : group.flavors()) {
          rootsOfFlavor
              .computeIfAbsent(flavor.flavor(), absent -> new TreeSet<>())
              .add(tree.root(queue.node()));
        }
      }
    }
  }

  /** A head of a queue was parked; others of it are still to be tried. */
  void notePark(int root, QueueState queue) {
    waiting.computeIfAbsent(root, absent -> new TreeMap<>()).put(queue.name(), queue);
  }

  /** The queues to try, by name. */
  List<QueueState> queues() {
    return List.copyOf(toTry.values());
  }

  /** Something came into a queue. Its parked jobs stay so. */
  void add(QueueState queue) {
    toTry.put(queue.name(), queue);
  }

  void exhaust(int root, QueueState queue) {
    toTry.remove(queue.name());
    notePark(root, queue);
  }

  void remove(QueueState queue) {
    toTry.remove(queue.name());
    waiting.values().forEach(queues -> queues.remove(queue.name()));
  }

  void unpark(int root) {
    TreeMap<String, QueueState> queues = waiting.remove(root);
    if (queues != null) {
      queues.values().forEach(queue -> queue.pending().unpark());
      toTry.putAll(queues);
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
   * @return whether there is anybody to try there
   */
  boolean unparkTouched() {
    boolean any = false;
    for (int root : touched) {
      any |= waiting.containsKey(root);
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
    List.copyOf(waiting.keySet()).forEach(this::unpark);
  }
}
