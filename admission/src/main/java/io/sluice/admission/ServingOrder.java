// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.job.JobId;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who of a cycle's heads is served next. With fair sharing a {@link Tournament} decides in each
 * tree of cohorts; heads of different trees do not compete, and the trees take turns in the order
 * of their first heads.
 */
final class ServingOrder {
  private final QuotaTree tree;
  private final PriorityQueue<CycleEntry> inOrder;
  private final SortedSet<JobId> served = new TreeSet<>();
  private final SortedMap<Integer, Tournament> tournaments = new TreeMap<>();
  private final boolean fair;

  ServingOrder(AdmissionState state, List<CycleEntry> entries) {
    EnginePolicy policy = state.policy();
    FairSharing rules = policy.fairSharing();
    this.tree = state.ledger().tree();
    this.inOrder = new PriorityQueue<>(entries.size() + 1, policy.order().comparator());
    this.fair = rules != null;
    inOrder.addAll(entries);
    if (rules != null) {
      for (CycleEntry entry : entries) {
        tournaments
            .computeIfAbsent(
                root(entry), root -> new Tournament(state.ledger().promised(), root, rules, policy))
            .enter(entry);
      }
    }
  }

  private int root(CycleEntry entry) {
    return tree.root(entry.job().queue().node());
  }

  /** The head to serve next; null if all were served. */
  @Nullable CycleEntry next() {
    if (!fair) {
      return inOrder.poll();
    }
    CycleEntry leading = inOrder.poll();
    while (leading != null && served.remove(leading.job().id())) {
      leading = inOrder.poll();
    }
    if (leading == null) {
      return null;
    }
    CycleEntry next = tournament(root(leading)).next();
    if (!next.job().equals(leading.job())) {
      served.add(next.job().id());
      inOrder.add(leading);
    }
    return next;
  }

  /** How many are to be served still, about. */
  int size() {
    return inOrder.size();
  }

  /**
   * Leaves out whom nothing will be done for any more. Where shares decide each of them holds the
   * others of its side back until its turn comes: there it is all of them or nobody.
   */
  void leaveOut(Predicate<CycleEntry> hopeless) {
    if (!fair) {
      inOrder.removeIf(hopeless);
    } else if (tournaments.values().stream()
        .allMatch(tournament -> tournament.left().stream().allMatch(hopeless))) {
      inOrder.clear();
    }
  }

  private Tournament tournament(int root) {
    Tournament known = tournaments.get(root);
    if (known == null) {
      throw new IllegalStateException("nobody competes below " + tree.name(root));
    }
    return known;
  }

  /** Notes that these may have been made to go, so that what their queues use has changed. */
  void touch(Victims victims) {
    victims.attempts().forEach(victim -> touch(victim.attempt().job().queue().node()));
    victims.claims().forEach(claim -> touch(claim.job().queue().node()));
  }

  private void touch(int queue) {
    Tournament known = tournaments.get(tree.root(queue));
    if (known != null) {
      known.touch(queue);
    }
  }
}
