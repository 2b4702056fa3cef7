// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.PendingJobs;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.heads.IndexedHeads;
import io.sluice.admission.state.heads.QueueHeads;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Shapes;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which queues are to be tried. A queue without an admissible head waits until a job is
 * added or usable room appears: quota in its tree, or slices of a flavor that it offers. Queues are
 * identified by their nodes in the quota tree, which are numbered in the order of the queues'
 * names.
 */
public final class QueueTries {
  private static final int UNDECIDED_MAX = 1_000;
  private static final BitSet NONE = new BitSet();

  private final AdmissionState state;
  private final List<QueueState> byNode = new ArrayList<>();
  private final BitSet toTry = new BitSet();
  private final TreeMap<Integer, BitSet> waiting = new TreeMap<>();

  /** The queues with jobs that are left out until room appears. */
  private final BitSet parked = new BitSet();

  /** The waiting queues of the tree at lastRoot; null if that tree was opened since. */
  private @Nullable BitSet lastAwaited;

  private int lastRoot;

  /** The ledger to which all of this belongs; null before the first. */
  private @Nullable QuotaLedger ledger;

  private final QueueHeads heads;
  private final IndexedHeads indexed;
  private final TreeMap<Integer, BitSet> queuesOfTree = new TreeMap<>();
  private final TreeMap<String, Set<Integer>> rootsOfFlavor = new TreeMap<>();
  private final Set<Integer> touched = new TreeSet<>();
  private final Set<Integer> unparkedInRound = new TreeSet<>();
  private final Set<JobId> undecided = new TreeSet<>();

  QueueTries(AdmissionState state, Shapes shapes) {
    this.state = state;
    this.heads = new QueueHeads(shapes);
    this.indexed = new IndexedHeads(heads, shapes);
  }

  /** Returns the first jobs of the queues. */
  public QueueHeads heads() {
    renew();
    return heads;
  }

  /** Returns the first jobs of the queues with cohorts, in an index. */
  public IndexedHeads indexedHeads() {
    renew();
    return indexed;
  }

  /** Returns the current quota tree. If it has changed, all queues are to be tried. */
  private QuotaTree renew() {
    QuotaLedger present = state.ledger();
    if (present != ledger) {
      rebuild(present.tree());
      ledger = present;
    }
    return present.tree();
  }

  private void rebuild(QuotaTree tree) {
    waiting.clear();
    lastAwaited = null;
    toTry.clear();
    parked.clear();
    byNode.clear();
    queuesOfTree.clear();
    rootsOfFlavor.clear();
    touched.clear();
    unparkedInRound.clear();
    for (QueueState queue : state.queues()) {
      queue.pending().unpark();
      byNode.add(queue);
      toTry.set(queue.node());
      if (tree.hasParent(queue.node())) {
        queuesOfTree
            .computeIfAbsent(tree.root(queue.node()), absent -> new BitSet())
            .set(queue.node());
      }
      for (ResourceGroup group : queue.spec().resourceGroups()) {
        for (FlavorQuotas flavor : group.flavors()) {
          rootsOfFlavor
              .computeIfAbsent(flavor.flavor(), absent -> new TreeSet<>())
              .add(tree.root(queue.node()));
        }
      }
    }
    heads.rebuild(byNode, state.ledger());
    indexed.rebuild(state.ledger());
  }

  /** Returns the root of a queue's tree. */
  int root(QueueState queue) {
    return renew().root(queue.node());
  }

  /** Returns the nodes of the queues to try. */
  public BitSet nodes() {
    renew();
    return (BitSet) toTry.clone();
  }

  /** Returns the queue of a node. */
  public QueueState queue(int node) {
    return byNode.get(node);
  }

  /** Returns the nodes of the queues of some trees with cohorts. */
  public BitSet nodesOf(Set<Integer> roots) {
    renew();
    BitSet nodes = new BitSet();
    for (int root : roots) {
      nodes.or(queuesOfTree.getOrDefault(root, NONE));
    }
    return nodes;
  }

  /** Returns the usage of a head, if quota alone decides whether it fits; null if unknown. */
  public @Nullable Usage knownUse(JobEntry head) {
    return head.queue().pending().knownUse(head, state.ledger());
  }

  /** Remembers the usage of a head that fits, for its shape, until quota objects change. */
  public void noteUse(JobEntry head, Usage usage) {
    head.queue().pending().noteUse(head, state.ledger(), usage);
    renew();
    forgetHead(head.queue().node());
  }

  /** Notes that something else may be held for the jobs of a queue. */
  void noteHeld(int node) {
    indexed.noteChange(node);
  }

  /** Leaves out a head, and later jobs of its shape, until room appears. */
  public void park(JobEntry head) {
    renew();
    head.queue().pending().park(head);
    noteParked(head.queue().node());
  }

  /** Leaves out all heads before a given one until room appears, because they have no prospect. */
  public void passBefore(JobEntry head) {
    renew();
    // With StrictFIFO, no job precedes one that may be tried.
    if (!head.queue().strict() && head.queue().pending().passBefore(head)) {
      noteParked(head.queue().node());
    }
  }

  private void noteParked(int node) {
    parked.set(node);
    forgetHead(node);
    await(node);
  }

  /** Leaves out one job until {@link #endPassingOver}; later jobs of its queue are tried. */
  public void passOver(JobEntry job) {
    state.takeOut(job);
    noteUndecided(job.id());
  }

  /** Puts a passed-over job back into its queue, unless it has ended. */
  public void endPassingOver(JobEntry job) {
    if (state.findJob(job.id()) != null) {
      state.refresh(job);
    }
  }

  /**
   * Records that a cycle decided nothing about a nominated head; keeps at most {@link
   * #UNDECIDED_MAX} jobs. The next event of the job removes it.
   */
  public void noteUndecided(JobId head) {
    if (undecided.size() < UNDECIDED_MAX) {
      undecided.add(head);
    }
  }

  /** Returns whether the last cycle that tried a job failed to decide about it. */
  public boolean isUndecided(JobId job) {
    return undecided.contains(job);
  }

  void decided(@Nullable JobId job) {
    if (job != null && !undecided.isEmpty()) {
      undecided.remove(job);
    }
  }

  /**
   * Stops trying a queue until room appears or a job is added. Its jobs are marked only when one is
   * added or removed, see {@link #change}: most queues are tried again before that.
   */
  public void exhaust(int node) {
    await(node);
    toTry.clear(node);
    indexed.close(node);
  }

  /** Stops trying all queues of trees without an admissible head. */
  public void exhaustTreesWithout(Prospects prospects) {
    renew();
    boolean plans = state.plan().isUsed();
    for (Map.Entry<Integer, BitSet> tree : queuesOfTree.entrySet()) {
      if (toTry.intersects(tree.getValue()) && !prospects.anybodyIn(tree.getKey())) {
        BitSet queues = (BitSet) tree.getValue().clone();
        queues.and(toTry);
        if (plans) {
          queues.andNot(wantingPlan(queues));
        }
        waiting.computeIfAbsent(tree.getKey(), absent -> new BitSet()).or(queues);
        toTry.andNot(queues);
      }
    }
  }

  /** Returns the nodes of the queues of a tree. Must not be modified. */
  public BitSet nodesBelow(int root) {
    renew();
    return queuesOfTree.getOrDefault(root, NONE);
  }

  /** Returns the roots of the trees with cohorts. */
  public Set<Integer> roots() {
    renew();
    return queuesOfTree.keySet();
  }

  /** Returns the queues whose blocked jobs are to get a planned start. */
  private BitSet wantingPlan(BitSet queues) {
    BitSet wanting = new BitSet();
    for (int node = queues.nextSetBit(0); node >= 0; node = queues.nextSetBit(node + 1)) {
      QueueState queue = byNode.get(node);
      wanting.set(node, state.plan().wantsStarts(queue));
    }
    return wanting;
  }

  /** Marks a queue as waiting for room, because some of its jobs are left out. */
  public void await(int node) {
    int root = renew().root(node);
    BitSet queues = lastAwaited;
    if (queues == null || root != lastRoot) {
      queues = waiting.computeIfAbsent(root, absent -> new BitSet());
      lastAwaited = queues;
      lastRoot = root;
    }
    queues.set(node);
  }

  /** Returns whether a queue waits for room. */
  boolean awaits(int node) {
    BitSet queues = waiting.get(renew().root(node));
    return queues != null && queues.get(node);
  }

  /**
   * Changes the pending jobs of a queue, and has the queue tried again. If it was exhausted, the
   * earlier jobs stay left out; with StrictFIFO only the first is marked, which blocks the others.
   */
  void change(QueueState queue, Consumer<PendingJobs> change) {
    state.plan().noteChange(queue);
    if (!state.holdings().knowsLedger()) {
      // The rebuilt ledger has all queues tried; until then, nodes belong to the previous one.
      change.accept(queue.pending());
      return;
    }
    renew();
    if (!toTry.get(queue.node())) {
      leaveOut(queue);
    }
    change.accept(queue.pending());
    toTry.set(queue.node());
    forgetHead(queue.node());
    indexed.open(queue.node());
  }

  private void leaveOut(QueueState queue) {
    if (!queue.strict()) {
      if (queue.pending().passAll()) {
        noteParked(queue.node());
      }
      return;
    }
    JobEntry head = queue.head(Prospect.EVERYTHING);
    if (head != null) {
      park(head);
    }
  }

  /** Tries again the queues that can use freed room. */
  void unpark(QueueState queue, List<String> freedSlices, Usage freed) {
    state.plan().noteChange(queue);
    unpark(root(queue));
    unparkUsersOf(freedSlices);
    rootsBeside(freed).forEach(this::unpark);
  }

  /**
   * Returns the trees with flavors that place pods, if the usage has placed pods, and the trees
   * with flavors of which something is absent.
   */
  private Set<Integer> rootsBeside(Usage usage) {
    Set<Integer> roots = new TreeSet<>();
    for (String flavor : state.plan().sharedFlavors(usage)) {
      roots.addAll(rootsOfFlavor.getOrDefault(flavor, Collections.emptySet()));
    }
    if (!usage.placed().isEmpty()) {
      for (String flavor : state.topologies().flavors()) {
        roots.addAll(rootsOfFlavor.getOrDefault(flavor, Collections.emptySet()));
      }
    }
    return roots;
  }

  private void unpark(int root) {
    BitSet queues = waiting.remove(root);
    lastAwaited = null;
    if (queues != null) {
      toTry.or(queues);
      indexed.openAll(queues);
      queues.and(parked);
      parked.andNot(queues);
      queues.stream().forEach(this::unparkQueue);
    }
  }

  private void forgetHead(int node) {
    heads.forget(node);
    indexed.noteChange(node);
  }

  private void unparkQueue(int node) {
    byNode.get(node).pending().unpark();
    forgetHead(node);
  }

  /** Records a decision in the tree of a queue. */
  void touch(QueueState queue) {
    touched.add(root(queue));
  }

  /** Records a decision that may enable parked jobs of the trees concerned. */
  void touch(QueueState queue, List<String> concernedSlices, Usage concerned) {
    state.plan().noteChange(queue);
    touched.add(root(queue));
    touched.addAll(rootsBeside(concerned));
    for (String slice : concernedSlices) {
      for (String flavor : state.slices().flavorsOf(slice)) {
        touched.addAll(rootsOfFlavor.getOrDefault(flavor, Collections.emptySet()));
      }
    }
  }

  /**
   * Tries again all queues in trees with a decision since the last call. A further leaving attempt
   * may make preemption possible, a claim may be taken where its victim may not be evicted, and a
   * flavor may have become better.
   *
   * @return whether there are queues to try
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

  /** Begins a round, and tries again what an earlier round may have left unfinished. */
  public void beginRound() {
    unparkTouched();
    unparkedInRound.clear();
  }

  /**
   * Tries again all queues in trees that have their first decision in this round. Jobs parked by an
   * earlier round would fail in the tree as that round left it. Once the tree has changed, those
   * marks must not matter; otherwise a restored state, which has no marks, would decide
   * differently.
   */
  public void unparkFirstTouched() {
    for (int root : List.copyOf(touched)) {
      if (unparkedInRound.add(root)) {
        touched.remove(root);
        unpark(root);
      }
    }
  }

  /** Returns the trees whose queues offer the slices. */
  Set<Integer> rootsOf(List<String> slices) {
    renew();
    Set<Integer> roots = new TreeSet<>();
    for (String slice : slices) {
      for (String flavor : state.slices().flavorsOf(slice)) {
        roots.addAll(rootsOfFlavor.getOrDefault(flavor, Collections.emptySet()));
      }
    }
    return roots;
  }

  /** Returns the tree of a queue, and the trees that share a flavor with it. */
  Set<Integer> rootsSharing(QueueState queue) {
    Set<Integer> roots = new TreeSet<>();
    roots.add(root(queue));
    for (ResourceGroup group : queue.spec().resourceGroups()) {
      for (FlavorQuotas flavor : group.flavors()) {
        roots.addAll(rootsOfFlavor.getOrDefault(flavor.flavor(), Collections.emptySet()));
      }
    }
    return roots;
  }

  /** Tries again the queues that offer the slices, after these came or went. */
  void unparkUsersOf(List<String> slices) {
    for (String slice : slices) {
      for (String flavor : state.slices().flavorsOf(slice)) {
        rootsOfFlavor.getOrDefault(flavor, Collections.emptySet()).forEach(this::unpark);
      }
    }
  }

  void unparkAll() {
    state.plan().noteAllChanged();
    List.copyOf(waiting.keySet()).forEach(this::unpark);
  }
}
