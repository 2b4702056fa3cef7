// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.ordering.VictimOrder;
import io.sluice.admission.quota.DominantShare;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.fact.QueueState;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Selects the queue that gives the next victim: descends from the root to the child with the
 * largest share. It drops a node that does not borrow or has no candidate left. The preemptor's
 * queue and its ancestors are dropped only when they have no candidate left.
 */
final class ShareDescent {
  private final QuotaUsage usage;
  private final QuotaTree tree;
  private final QueueState preemptors;
  private final Comparator<Candidate> order;
  private final SortedMap<Integer, Deque<Candidate>> candidates = new TreeMap<>();
  private final SortedSet<Integer> above = new TreeSet<>();
  private final SortedSet<Integer> leftOut = new TreeSet<>();

  ShareDescent(QuotaUsage usage, QueueState preemptors, List<Candidate> inOrder) {
    this.usage = usage;
    this.tree = usage.tree();
    this.preemptors = preemptors;
    this.order = VictimOrder.seenFrom(preemptors.name());
    for (Candidate candidate : inOrder) {
      candidates
          .computeIfAbsent(candidate.queue().node(), absent -> new ArrayDeque<>())
          .add(candidate);
    }
    for (int node = preemptors.node(); tree.hasParent(node); node = tree.parent(node)) {
      above.add(tree.parent(node));
    }
  }

  boolean hasCandidate(int queue) {
    Deque<Candidate> ofQueue = candidates.get(queue);
    return ofQueue != null && !ofQueue.isEmpty();
  }

  /** Removes and returns the first candidate of a queue. Requires that there is one. */
  Candidate remove(int queue) {
    Deque<Candidate> ofQueue = candidates.get(queue);
    if (ofQueue == null) {
      throw new IllegalStateException("no candidate in queue " + tree.name(queue));
    }
    return ofQueue.remove();
  }

  /** Drops a queue. */
  void drop(int queue) {
    leftOut.add(queue);
  }

  /**
   * Returns the queue of the next victim; null if none. Each call requires a removal or drop
   * before.
   */
  @Nullable Integer next() {
    if (!tree.hasParent(preemptors.node())) {
      boolean open = hasCandidate(preemptors.node()) && !leftOut.contains(preemptors.node());
      return open ? preemptors.node() : null;
    }
    int root = tree.root(preemptors.node());
    while (!leftOut.contains(root)) {
      Integer found = below(root);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Returns the queue below a cohort; null if the call only dropped nodes. */
  private @Nullable Integer below(int cohort) {
    Integer queue = null;
    Integer lower = null;
    for (int child : tree.children(cohort)) {
      if (leaveOut(child)) {
        continue;
      }
      if (tree.isQueue(child)) {
        queue = queue == null || goesBefore(child, queue) ? child : queue;
      } else {
        lower = lower == null || compareShares(child, lower) >= 0 ? child : lower;
      }
    }
    if (queue == null && lower == null) {
      leftOut.add(cohort);
      return null;
    }
    if (lower != null && (queue == null || compareShares(lower, queue) >= 0)) {
      return below(lower);
    }
    return queue;
  }

  private boolean leaveOut(int node) {
    if (leftOut.contains(node)) {
      return true;
    }
    boolean own = node == preemptors.node() || above.contains(node);
    boolean empty = tree.isQueue(node) && !hasCandidate(node);
    if (empty || (!own && !DominantShare.of(usage, node).borrows())) {
      leftOut.add(node);
      return true;
    }
    return false;
  }

  private int compareShares(int one, int other) {
    return DominantShare.of(usage, one).compareTo(DominantShare.of(usage, other));
  }

  private boolean goesBefore(int one, int other) {
    int byShare = compareShares(one, other);
    return byShare > 0 || (byShare == 0 && order.compare(first(one), first(other)) < 0);
  }

  private Candidate first(int queue) {
    Deque<Candidate> ofQueue = candidates.get(queue);
    if (ofQueue == null) {
      throw new IllegalStateException("no candidate in queue " + tree.name(queue));
    }
    return ofQueue.element();
  }
}
