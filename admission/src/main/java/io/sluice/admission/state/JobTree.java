// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pending jobs in the order of their queue, with the size, the least demand and the highest
 * priority of each subtree: the first that has a {@link Prospect} is found without a look at those
 * before it that have none, and how many stand before one without a look at them.
 *
 * <p>A treap. Its weights are mixed from the ids of the jobs, so its shape, like all that it
 * answers, is the same in every run.
 */
final class JobTree {
  private static final class Node {
    final JobEntry job;
    final long[] demand;
    final long weight;
    @Nullable Node left;
    @Nullable Node right;
    long[] least;
    int highest;
    int count = 1;

    Node(JobEntry job, long[] demand) {
      this.job = job;
      this.demand = demand;
      this.least = demand;
      this.weight =
          mix(
              job.id().value().getMostSignificantBits()
                  ^ job.id().value().getLeastSignificantBits());
      this.highest = priority(job);
    }

    Node summed() {
      least = demand;
      highest = priority(job);
      count = 1;
      sum(left);
      sum(right);
      return this;
    }

    private void sum(@Nullable Node child) {
      if (child != null) {
        least = least(least, child.least);
        highest = Math.max(highest, child.highest);
        count += child.count;
      }
    }
  }

  private @Nullable Node root;

  private static int priority(JobEntry job) {
    return job.workload().priority().value();
  }

  /** Of each resource the lesser demand; a resource that one does not name it does not ask for. */
  private static long[] least(long[] one, long[] other) {
    int length = Math.min(one.length, other.length);
    boolean same = one.length == length;
    for (int at = 0; same && at < length; at++) {
      same = one[at] <= other[at];
    }
    if (same) {
      return one;
    }
    long[] least = Arrays.copyOf(one, length);
    for (int at = 0; at < length; at++) {
      least[at] = Math.min(least[at], other[at]);
    }
    return least;
  }

  /** Steele and Vigna's finalizer of SplitMix64: nearby ids get weights far apart. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  boolean isEmpty() {
    return root == null;
  }

  /** How many there are. */
  int size() {
    return count(root);
  }

  private static int count(@Nullable Node node) {
    return node == null ? 0 : node.count;
  }

  /** How many stand before a job, whether it is there or not. */
  int countBefore(JobEntry job) {
    int before = 0;
    Node at = root;
    while (at != null) {
      if (at.job.compareTo(job) < 0) {
        before += count(at.left) + 1;
        at = at.right;
      } else {
        at = at.left;
      }
    }
    return before;
  }

  /** All of them in order, found as they are asked for; good until one comes or goes. */
  Iterator<JobEntry> iterator() {
    ArrayDeque<Node> path = new ArrayDeque<>();
    descend(root, path);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !path.isEmpty();
      }

      @Override
      public JobEntry next() {
        Node next = path.pop();
        descend(next.right, path);
        return next.job;
      }
    };
  }

  private static void descend(@Nullable Node from, ArrayDeque<Node> path) {
    for (Node at = from; at != null; at = at.left) {
      path.push(at);
    }
  }

  /** Hands over all of them in order. */
  void forEach(Consumer<JobEntry> action) {
    forEach(root, action);
  }

  private static void forEach(@Nullable Node from, Consumer<JobEntry> action) {
    if (from != null) {
      forEach(from.left, action);
      action.accept(from.job);
      forEach(from.right, action);
    }
  }

  /** The first; only if there is one. */
  JobEntry first() {
    Node at = root;
    while (at != null && at.left != null) {
      at = at.left;
    }
    if (at == null) {
      throw new IllegalStateException("there is none");
    }
    return at.job;
  }

  /** The first of which something may come; null if there is none. */
  @Nullable JobEntry first(Prospect prospect) {
    Node found = find(root, prospect);
    return found == null ? null : found.job;
  }

  private static @Nullable Node find(@Nullable Node from, Prospect prospect) {
    Node at = from;
    while (at != null && prospect.allows(at.least, at.highest)) {
      Node before = find(at.left, prospect);
      if (before != null) {
        return before;
      }
      if (prospect.allows(at.demand, priority(at.job))) {
        return at;
      }
      at = at.right;
    }
    return null;
  }

  /**
   * Adds a job that is not there.
   *
   * @param demand what a prospect is asked for
   */
  void add(JobEntry job, long[] demand) {
    root = insert(root, new Node(job, demand));
  }

  private static Node insert(@Nullable Node into, Node added) {
    if (into == null) {
      return added;
    }
    if (added.job.compareTo(into.job) < 0) {
      Node left = insert(into.left, added);
      into.left = left;
      return heavier(left, into) ? raiseLeft(into, left) : into.summed();
    }
    Node right = insert(into.right, added);
    into.right = right;
    return heavier(right, into) ? raiseRight(into, right) : into.summed();
  }

  private static boolean heavier(Node one, Node other) {
    return Long.compareUnsigned(one.weight, other.weight) > 0;
  }

  private static Node raiseLeft(Node parent, Node left) {
    parent.left = left.right;
    left.right = parent.summed();
    return left.summed();
  }

  private static Node raiseRight(Node parent, Node right) {
    parent.right = right.left;
    right.left = parent.summed();
    return right.summed();
  }

  /** Takes a job out that is there. */
  void remove(JobEntry job) {
    root = remove(root, job);
  }

  private static @Nullable Node remove(@Nullable Node from, JobEntry job) {
    if (from == null) {
      throw new IllegalStateException("not there: " + job);
    }
    int side = job.compareTo(from.job);
    if (side == 0) {
      return merge(from.left, from.right);
    }
    if (side < 0) {
      from.left = remove(from.left, job);
    } else {
      from.right = remove(from.right, job);
    }
    return from.summed();
  }

  private static @Nullable Node merge(@Nullable Node before, @Nullable Node after) {
    if (before == null || after == null) {
      return before == null ? after : before;
    }
    if (heavier(before, after)) {
      before.right = merge(before.right, after);
      return before.summed();
    }
    after.left = merge(before, after.left);
    return after.summed();
  }
}
