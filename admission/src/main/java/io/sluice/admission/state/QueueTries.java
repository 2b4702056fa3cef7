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
public final class QueueTries {
  private final AdmissionState state;
  private final TreeMap<String, QueueState> toTry = new TreeMap<>();
  private final TreeMap<Integer, TreeMap<String, QueueState>> waiting = new TreeMap<>();
  private final TreeMap<String, Set<Integer>> rootsOfFlavor = new TreeMap<>();
  private final Set<Integer> touched = new TreeSet<>();
  private final Set<Integer> unparkedInRound = new TreeSet<>();

  QueueTries(AdmissionState state) {
    this.state = state;
  }

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

  private int root(QueueState queue) {
    return state.ledger().tree().root(queue.node());
  }

  /** The queues in which something may have come to be possible, by name. */
  public List<QueueState> queues() {
    state.ledger(); // Made anew it has all queues tried again.
    return List.copyOf(toTry.values());
  }

  /** Leaves a head, and all of its shape behind it, out of its queue until room appears. */
  public void park(JobEntry head) {
    head.queue().pending().park(head);
    await(head.queue());
  }

  /** Nothing more can come of a queue until room appears or a job comes in. */
  public void exhaust(QueueState queue) {
    toTry.remove(queue.name());
    await(queue);
  }

  private void await(QueueState queue) {
    waiting.computeIfAbsent(root(queue), absent -> new TreeMap<>()).put(queue.name(), queue);
  }

  /** Something came into a queue. Its parked jobs stay so. */
  void add(QueueState queue) {
    toTry.put(queue.name(), queue);
  }

  void remove(QueueState queue) {
    toTry.remove(queue.name());
    waiting.values().forEach(queues -> queues.remove(queue.name()));
  }

  /** Room appeared: whoever could use it is tried again. */
  void unpark(QueueState queue, List<String> freedSlices, Usage freed) {
    unpark(root(queue));
    unparkUsersOf(freedSlices);
    rootsOfNodes(freed).forEach(this::unpark);
  }

  /** The trees whose queues have flavors by whose topologies pods are placed, if some were. */
  private Set<Integer> rootsOfNodes(Usage usage) {
    Set<Integer> roots = new TreeSet<>();
    if (!usage.placed().isEmpty()) {
      for (String flavor : state.topologies().flavors()) {
        roots.addAll(rootsOfFlavor.getOrDefault(flavor, Collections.emptySet()));
      }
    }
    return roots;
  }

  private void unpark(int root) {
    TreeMap<String, QueueState> queues = waiting.remove(root);
    if (queues != null) {
      queues.values().forEach(queue -> queue.pending().unpark());
      toTry.putAll(queues);
    }
  }

  /** Notes that something was decided in the tree of a queue. */
  void touch(QueueState queue) {
    touched.add(root(queue));
  }

  /** Notes that something was decided, which may let a parked job do what it could not. */
  void touch(QueueState queue, List<String> concernedSlices, Usage concerned) {
    touched.add(root(queue));
    touched.addAll(rootsOfNodes(concerned));
    for (String slice : concernedSlices) {
      for (String flavor : state.slices().flavorsOf(slice)) {
        touched.addAll(rootsOfFlavor.getOrDefault(flavor, Collections.emptySet()));
      }
    }
  }

  /**
   * Tries again everybody in the trees in which something was decided since this was last called:
   * who could not evict enough may be able to with another one leaving, who may not evict a victim
   * may yet take the claim on its room, and a flavor that looked worse may look better.
   *
   * @return whether there is anybody to try there
   */
  public boolean unparkTouched() {
    boolean any = false;
    for (int root : touched) {
      any |= waiting.containsKey(root);
      unpark(root);
    }
    touched.clear();
    return any;
  }

  /** A round begins: everybody is tried again whom an earlier round may have left unfinished. */
  public void beginRound() {
    unparkTouched();
    unparkedInRound.clear();
  }

  /**
   * Tries again everybody in the trees in which something was decided for the first time in this
   * round. Who was parked by an earlier round would fail in the tree as that round left it; once it
   * has changed, who was parked when must not matter, or a state without the marks would decide
   * otherwise.
   */
  public void unparkFirstTouched() {
    for (int root : List.copyOf(touched)) {
      if (unparkedInRound.add(root)) {
        touched.remove(root);
        unpark(root);
      }
    }
  }

  /** Slices came or went: whoever could use them, or did, is tried again. */
  void unparkUsersOf(List<String> slices) {
    for (String slice : slices) {
      for (String flavor : state.slices().flavorsOf(slice)) {
        rootsOfFlavor.getOrDefault(flavor, Collections.emptySet()).forEach(this::unpark);
      }
    }
  }

  void unparkAll() {
    List.copyOf(waiting.keySet()).forEach(this::unpark);
  }
}
