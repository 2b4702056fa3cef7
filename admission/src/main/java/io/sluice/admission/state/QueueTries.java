// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.PendingJobs;
import io.sluice.admission.state.fact.QueueState;
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
 * Which queues are to be tried. One of which nothing more can come waits, and is tried again when a
 * job comes in or room appears that it could use: quota in its own tree, slices of a flavor that it
 * offers. Queues are known by their nodes in the quota tree, whose numbers are in the order of the
 * queues' names.
 */
public final class QueueTries {
  private static final int UNDECIDED_MAX = 1_000;

  private final AdmissionState state;
  private final List<QueueState> byNode = new ArrayList<>();
  private final BitSet toTry = new BitSet();
  private final TreeMap<Integer, BitSet> waiting = new TreeMap<>();

  /** The queues with jobs that are marked as left out until room appears. */
  private final BitSet parked = new BitSet();

  /** Who waits of the tree in which one began to wait last; null: it was tried again since. */
  private @Nullable BitSet lastAwaited;

  private int lastRoot;

  /** For which all of this was made; null: for none yet. */
  private @Nullable QuotaLedger ledger;

  private final QueueHeads heads;
  private final TreeMap<Integer, BitSet> queuesOfTree = new TreeMap<>();
  private final TreeMap<String, Set<Integer>> rootsOfFlavor = new TreeMap<>();
  private final Set<Integer> touched = new TreeSet<>();
  private final Set<Integer> unparkedInRound = new TreeSet<>();
  private final Set<JobId> undecided = new TreeSet<>();

  QueueTries(AdmissionState state, Shapes shapes) {
    this.state = state;
    this.heads = new QueueHeads(state, shapes);
  }

  /** Who is first in each queue. */
  public QueueHeads heads() {
    renew();
    return heads;
  }

  /** The present quota tree. If it is another than before, all queues are to be tried. */
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
    heads.rebuild(byNode);
  }

  /** The root of the tree of a queue. */
  int root(QueueState queue) {
    return renew().root(queue.node());
  }

  /** The nodes of the queues in which something may have come to be possible now. */
  public BitSet nodes() {
    renew();
    return (BitSet) toTry.clone();
  }

  /** The queue of a node. */
  public QueueState queue(int node) {
    return byNode.get(node);
  }

  /**
   * What a head uses if it fits, where that alone decides whether it does; null if it is not known.
   */
  public @Nullable Usage knownUse(JobEntry head) {
    return head.queue().pending().knownUse(head, state.ledger());
  }

  /** Remembers what a head that fits uses, for all that ask for the same until objects change. */
  public void noteUse(JobEntry head, Usage usage) {
    head.queue().pending().noteUse(head, state.ledger(), usage);
    heads().forget(head.queue().node());
  }

  /** Leaves a head, and all of its shape behind it, out of its queue until room appears. */
  public void park(JobEntry head) {
    renew();
    head.queue().pending().park(head);
    noteParked(head.queue().node());
  }

  /**
   * Leaves all heads before a given one out of its queue until room appears, as if they had been
   * tried in vain: they have no prospect.
   */
  public void passBefore(JobEntry head) {
    renew();
    // With StrictFIFO nobody stands before one that may be tried.
    if (!head.queue().strict() && head.queue().pending().passBefore(head)) {
      noteParked(head.queue().node());
    }
  }

  private void noteParked(int node) {
    parked.set(node);
    heads.forget(node);
    await(node);
  }

  /** Leaves a job out of its queue until {@link #endPassingOver}; those behind it are tried. */
  public void passOver(JobEntry job) {
    state.takeOut(job);
    noteUndecided(job.id());
  }

  /** Puts a job back into its queue that was passed over, unless it has ended. */
  public void endPassingOver(JobEntry job) {
    if (state.findJob(job.id()) != null) {
      state.refresh(job);
    }
  }

  /**
   * Notes that a cycle decided nothing about a head of which something was expected; at most {@link
   * #UNDECIDED_MAX} are known. It is forgotten with the next event of the job.
   */
  public void noteUndecided(JobId head) {
    if (undecided.size() < UNDECIDED_MAX) {
      undecided.add(head);
    }
  }

  /** Whether the last cycle that tried a job decided nothing about it, against expectation. */
  public boolean isUndecided(JobId job) {
    return undecided.contains(job);
  }

  void decided(@Nullable JobId job) {
    if (job != null && !undecided.isEmpty()) {
      undecided.remove(job);
    }
  }

  /**
   * Nothing more can come of a queue until room appears or a job comes in. Its jobs are marked only
   * when one comes or goes, see {@link #change}: most queues are tried again before that.
   */
  public void exhaust(int node) {
    await(node);
    toTry.clear(node);
  }

  /** Leaves out all queues of trees in which nothing can come of anybody. */
  public void exhaustTreesWithout(Prospects prospects) {
    renew();
    for (Map.Entry<Integer, BitSet> tree : queuesOfTree.entrySet()) {
      if (toTry.intersects(tree.getValue()) && !prospects.anybodyIn(tree.getKey())) {
        BitSet queues = (BitSet) tree.getValue().clone();
        queues.and(toTry);
        waiting.computeIfAbsent(tree.getKey(), absent -> new BitSet()).or(queues);
        toTry.andNot(queues);
      }
    }
  }

  /** Has a queue wait for room: something in it is left out until then. */
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

  /** Whether a queue has waited for room since it last began to, and none has appeared. */
  boolean awaits(int node) {
    BitSet queues = waiting.get(renew().root(node));
    return queues != null && queues.get(node);
  }

  /**
   * Changes which jobs of a queue are pending, and has the queue tried again. If nothing more could
   * come of it, the jobs that were there stay left out; with StrictFIFO only the first is marked,
   * which blocks the others.
   */
  void change(QueueState queue, Consumer<PendingJobs> change) {
    if (!state.holdings().knowsLedger()) {
      // Made anew, it will have all queues tried; until then nodes are those of the last one.
      change.accept(queue.pending());
      return;
    }
    renew();
    if (!toTry.get(queue.node())) {
      leaveOut(queue);
    }
    change.accept(queue.pending());
    toTry.set(queue.node());
    heads.forget(queue.node());
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
    BitSet queues = waiting.remove(root);
    lastAwaited = null;
    if (queues != null) {
      toTry.or(queues);
      queues.and(parked);
      parked.andNot(queues);
      queues.stream().forEach(this::unparkQueue);
    }
  }

  private void unparkQueue(int node) {
    byNode.get(node).pending().unpark();
    heads.forget(node);
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

  /** The trees whose queues offer slices. */
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

  /** The tree of a queue, and those that share a flavor with the queue. */
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
