// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.promise;

import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The queues whose jobs, quota or usage have changed, and the quota trees in which more is used,
 * since they were last taken. Queues are identified by their nodes in the quota tree.
 */
public final class ChangedQueues {
  private final BitSet queues = new BitSet();
  private final Set<Integer> trees = new TreeSet<>();
  private final BitSet settled = new BitSet();
  private boolean all = true;

  public void add(int queue) {
    queues.set(queue);
    settled.clear(queue);
  }

  /** Leaves out a queue until it changes itself, whatever others of its tree use. */
  public void settle(int queue) {
    settled.set(queue);
  }

  /** Returns the queues that are left out. */
  public BitSet settled() {
    return settled;
  }

  /** Adds a tree by its root. */
  public void addTree(int root) {
    trees.add(root);
  }

  /** Adds all queues, and forgets the nodes of others. */
  public void addAll() {
    queues.clear();
    trees.clear();
    settled.clear();
    all = true;
  }

  /** Returns whether all have changed. */
  public boolean all() {
    return all;
  }

  /** Returns the queues that have changed themselves. Must not be modified. */
  public BitSet queues() {
    return queues;
  }

  /** Returns the roots of the trees in which more is used. */
  public Set<Integer> trees() {
    return trees;
  }

  /** Begins anew, without changes. */
  public void clear() {
    queues.clear();
    trees.clear();
    all = false;
  }
}
