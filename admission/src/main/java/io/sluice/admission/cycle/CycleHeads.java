// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.decision.RungChanges;
import io.sluice.admission.flavor.ScanPositions;
import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.plan.Planning;
import io.sluice.admission.policy.CycleRule;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Prospects;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.heads.QueueHeads;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the first admissible head of each queue. A queue without one is left out until room
 * appears.
 */
final class CycleHeads {
  /** The number of queues from which a tree is searched best first. */
  private static final int LARGE = 32;

  private final Decisions decisions;
  private final AdmissionState state;
  private final Nomination nomination;
  private final KnownFits knownFits;
  private final Planning planning;
  private final Entrants entrants;
  private final int large;

  CycleHeads(Decisions decisions, Nomination nomination) {
    this(decisions, nomination, LARGE);
  }

  /**
   * Chooses heads for a cycle.
   *
   * @param large the number of queues from which a tree is searched best first
   */
  CycleHeads(Decisions decisions, Nomination nomination, int large) {
    this.large = large;
    this.decisions = decisions;
    this.state = decisions.state();
    this.nomination = nomination;
    this.knownFits = new KnownFits(state);
    this.planning = new Planning(decisions);
    this.entrants = new Entrants(state);
  }

  /** Chooses heads; skips those without a prospect, and skips the flavor search for known fits. */
  Entrants foreseeing() {
    Prospects prospects = state.prospects();
    state.tries().exhaustTreesWithout(prospects);
    BitSet nodes = state.tries().nodes();
    OpenRoom room = new OpenRoom(state);
    if (mayLeaveOut(room)) {
      lookBestFirst(nodes, prospects, room);
    }
    for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
      look(node, prospects, room);
    }
    return entrants;
  }

  private void look(int node, Prospects prospects, OpenRoom room) {
    QueueState queue = state.tries().queue(node);
    if (room.dated() || (state.plan().isUsed() && state.plan().wantsStarts(queue))) {
      // A planned start may forbid what quota permits, and a job without a prospect may get one.
      search(queue, prospects);
      room.renew();
      return;
    }
    QueueHeads heads = state.tries().heads();
    switch (heads.look(node, room.free(), room.held(), prospects.evictsFrom(node))) {
      case FIRST_FITS -> entrants.addFirst(node, heads.borrowingLevel(node, state.ledger().held()));
      case NOBODY -> state.tries().exhaust(node);
      case SEARCH -> {
        search(queue, prospects);
        room.renew();
      }
    }
  }

  /** Returns whether a cycle may leave out heads that cannot be served: quota alone decides. */
  private boolean mayLeaveOut(OpenRoom room) {
    EnginePolicy policy = state.policy();
    return policy.fairSharing() == null
        && policy.cycle() == CycleRule.ROUND
        && policy.order().equals(EntryOrder.DEFAULT)
        && !room.dated()
        && !state.plan().isUsed()
        && state.fleet().unreachedClusters().isEmpty();
  }

  /**
   * Looks best first at the queues of large trees in which quota alone decides, and no head may
   * evict.
   *
   * @param nodes the queues to try; those that need not be looked at any more are removed
   */
  private void lookBestFirst(BitSet nodes, Prospects prospects, OpenRoom room) {
    List<Integer> roots = new ArrayList<>();
    for (int root : state.tries().roots()) {
      BitSet queues = state.tries().nodesBelow(root);
      if (queues.cardinality() >= large
          && queues.intersects(nodes)
          && !state.ledger().tree().keepsOrEvictsBelow(root)
          && prospects.evictsFrom(root) == Integer.MAX_VALUE) {
        roots.add(root);
      }
    }
    if (roots.isEmpty()) {
      return; // without large trees, no index need be kept
    }
    BestFirst search =
        new BestFirst(state, entrants, room.held(), node -> look(node, prospects, room));
    BitSet laddered = state.tries().indexedHeads().laddered();
    for (int root : roots) {
      if (!state.tries().nodesBelow(root).intersects(laddered)) {
        search.search(root, nodes);
      }
    }
  }

  private void search(QueueState queue, Prospects prospects) {
    JobEntry first = state.tries().heads().first(queue);
    CycleEntry known = first == null ? null : known(first);
    Supplier<HeadBound> bound = () -> HeadBound.of(state, queue, prospects);
    take(queue, known == null ? firstWithHope(queue, bound, true) : known);
  }

  /** Returns an entry for a head that is known to fit; null while planned starts bind it. */
  private @Nullable CycleEntry known(JobEntry head) {
    CycleEntry known = state.plan().anyDated() ? null : knownFits.of(head);
    boolean permitted = known != null && state.plan().guard().permits(head, known.taken());
    return permitted ? known : null;
  }

  /** Chooses the first admissible head of a queue by a flavor search for each candidate. */
  void takeNominated(QueueState queue, Function<QueueState, Prospect> bound) {
    take(queue, firstWithHope(queue, () -> HeadBound.of(bound.apply(queue)), false));
  }

  /** Returns the chosen heads. */
  Entrants entrants() {
    return entrants;
  }

  private void take(QueueState queue, @Nullable CycleEntry entry) {
    if (entry == null) {
      state.tries().exhaust(queue.node());
    } else {
      entrants.add(entry);
    }
  }

  /**
   * Returns the first admissible job of a queue; null if there is none. Earlier jobs are left out
   * until room appears, whether the bound excluded them or the search failed.
   */
  private @Nullable CycleEntry firstWithHope(
      QueueState queue, Supplier<HeadBound> bound, boolean foresees) {
    boolean plans = state.plan().wantsStarts(queue);
    HeadBound prospect = plans ? HeadBound.NONE : bound.get();
    for (JobEntry head = prospect.head(queue); head != null; head = prospect.head(queue)) {
      state.tries().passBefore(head);
      CycleEntry known = foresees ? known(head) : null;
      CycleEntry entry = known == null ? nominate(head) : known;
      if (known == null && entry.fits()) {
        knownFits.note(entry);
      }
      if (hasHope(entry)) {
        return entry;
      }
      int before = decisions.size();
      boolean planned = planning.consider(head);
      RungChanges.follow(decisions, head, entry.assignment());
      // The capacity that it seeks may concern jobs parked earlier.
      state.tries().unparkFirstTouched();
      // With a planned start, it is bound by fewer others: it is tried once more.
      if (!planned) {
        state.tries().park(head);
      }
      if (decisions.size() > before || plans) {
        plans = state.plan().wantsStarts(queue);
        prospect = plans ? HeadBound.NONE : bound.get();
      }
    }
    return null;
  }

  /**
   * Finds flavors for a head. The search stops at a flavor with enough quota, although the pods may
   * have no place there. It then continues with the remaining flavors, at most once through all of
   * them. If none works, it returns the result of the first search.
   */
  CycleEntry nominate(JobEntry head) {
    CycleEntry first = nomination.of(head, ScanPositions.START);
    CycleEntry entry = first;
    ScanPositions reached = ScanPositions.after(entry.assignment());
    boolean walksLadder = head.workload().shape().computeClass() != null;
    int left = walksLadder ? 0 : flavors(head.queue());
    while (!hasHope(entry) && reached.goesOn() && left > 0) {
      entry = nomination.of(head, reached);
      reached = ScanPositions.after(entry.assignment());
      left--;
    }
    return hasHope(entry) ? entry : first;
  }

  /** Returns whether the nominated head fits or has victims. */
  static boolean hasHope(CycleEntry entry) {
    return entry.fits() || entry.victims() != null;
  }

  private static int flavors(QueueState queue) {
    int flavors = 0;
    for (ResourceGroup group : queue.spec().resourceGroups()) {
      flavors += group.flavors().size();
    }
    return flavors;
  }
}
