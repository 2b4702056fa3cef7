// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.QuotaWorld;
import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.quota.DominantShare;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.testing.Seeds;
import io.sluice.testing.WorkloadBuilder;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A tournament that is kept, against one that is held anew for each head. */
class TournamentPropertyTest {
  /** Who competes for a node. */
  private record Side(JobEntry head, DominantShare share, boolean borrows) {}

  private int held;
  private int changed;

  /** The head that goes on from a node, by definition: sides below it are compared one by one. */
  private static @Nullable JobEntry winner(
      QuotaUsage usage, Map<Integer, CycleEntry> heads, int node, FairSharing rules) {
    QuotaTree tree = usage.tree();
    CycleEntry own = heads.get(node);
    if (tree.isQueue(node)) {
      return own == null ? null : own.job();
    }
    Comparator<Side> byShare =
        Comparator.comparing(Side::share)
            .thenComparing(side -> side.head().workload(), EntryOrder.DEFAULT.amongEquals());
    Comparator<Side> order =
        rules.nonBorrowingFirst()
            ? Comparator.comparing(Side::borrows).thenComparing(byShare)
            : byShare;
    Side best = null;
    for (int child : tree.children(node)) {
      JobEntry head = winner(usage, heads, child, rules);
      if (head != null) {
        Side side = side(usage, child, head, heads);
        best = best == null || order.compare(side, best) < 0 ? side : best;
      }
    }
    return best == null ? null : best.head();
  }

  private static Side side(
      QuotaUsage usage, int node, JobEntry head, Map<Integer, CycleEntry> heads) {
    Usage asked = Objects.requireNonNull(heads.get(head.queue().node())).taken();
    asked.addTo(usage);
    boolean borrows = false;
    for (int at = 0; at < asked.size(); at++) {
      borrows |= asked.amount(at) > 0 && usage.borrows(node, asked.flavorResource(at));
    }
    Side side = new Side(head, DominantShare.of(usage, node), borrows);
    asked.removeFrom(usage);
    return side;
  }

  private static AdmissionState world(SplittableRandom random) {
    EnginePolicy policy = EnginePolicy.DEFAULT.withFairSharing(FairSharing.DEFAULT);
    AdmissionState state = AdmissionState.restore(StateSnapshot.empty(), policy);
    for (Input input : new QuotaWorld(random, 30).setUp()) {
      Input.SetObject set = (Input.SetObject) input;
      state.apply(new Event.ObjectSet(set.object(), set.generation()), Instant.EPOCH);
    }
    return state;
  }

  private static Usage usage(SplittableRandom random, QuotaTree tree, int node, int most) {
    TreeMap<Integer, Long> amounts = new TreeMap<>();
    for (int number = 0; number < tree.flavorResources().size(); number++) {
      if (random.nextInt(3) > 0) {
        amounts.put(number, (long) random.nextInt(most));
      }
    }
    return Usage.of(node, amounts);
  }

  private void hold(SplittableRandom random, FairSharing rules) {
    AdmissionState state = world(random);
    QuotaUsage promised = state.ledger().promised();
    QuotaTree tree = promised.tree();
    Entrants entrants = new Entrants(state);
    TreeMap<Integer, CycleEntry> heads = new TreeMap<>();
    for (int node = 0; node < tree.queues(); node++) {
      usage(random, tree, node, 30).addTo(promised);
      if (random.nextInt(4) > 0) {
        state.apply(
            new Event.JobEnqueued(
                WorkloadBuilder.named("job", node + 1)
                    .queue("default", tree.name(node))
                    .priority(random.nextInt(2), false)
                    .build()),
            Instant.EPOCH);
        JobEntry job = Objects.requireNonNull(state.findJob(WorkloadBuilder.id(node + 1)));
        CycleEntry entry = CycleEntry.foreseen(job, usage(random, tree, node, 12), 0);
        heads.put(node, entry);
        entrants.add(entry);
      }
    }
    Tournament tournament = new Tournament(promised, rules, entrants);
    while (!heads.isEmpty()) {
      int root = tree.root(heads.firstKey());
      JobEntry expected = winner(promised, heads, root, rules);
      int next = tournament.next(root);
      assertThat(entrants.job(next)).isEqualTo(expected);
      held++;
      CycleEntry served = heads.remove(entrants.node(next));
      if (random.nextBoolean()) {
        served.taken().addTo(promised);
      }
      if (random.nextInt(5) == 0) {
        int elsewhere = random.nextInt(tree.queues());
        usage(random, tree, elsewhere, 20).addTo(promised);
        tournament.touch(elsewhere);
        changed++;
      }
    }
    for (int root = 0; root < tree.size(); root++) {
      assertThat(tournament.next(tree.root(root))).isEqualTo(ServingOrder.NOBODY);
    }
  }

  @Test
  void whoWinsIsWhoWouldIfAllWereComparedAnew() {
    Seeds.check(300, random -> hold(random, FairSharing.DEFAULT));
    FairSharing byShareAlone = new FairSharing(FairSharing.DEFAULT.strategies(), true, false);
    Seeds.check(100, random -> hold(random, byShareAlone));
    // Else nothing was tried.
    assertThat(List.of(held, changed)).allMatch(times -> times > 500);
  }
}
