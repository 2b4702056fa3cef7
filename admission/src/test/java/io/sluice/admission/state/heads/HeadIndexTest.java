// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.heads;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.heads.HeadIndex.Requests;
import io.sluice.admission.state.heads.HeadIndex.Room;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Winner trees, against a look at each queue below a node. */
class HeadIndexTest {
  private static final int RESOURCES = 2;

  /** What was entered of a queue. */
  private record Entered(Requests requests, long placeWithin, long place) {
    boolean mayBeWithin(Room room) {
      boolean may = placeWithin != HeadIndex.NOWHERE;
      for (int resource = 0; resource < RESOURCES; resource++) {
        may &= isCovered(resource, room);
      }
      return may;
    }

    boolean mayFit(Room room) {
      boolean may = place != HeadIndex.NOWHERE;
      for (int resource = 0; resource < RESOURCES; resource++) {
        long least = requests.least()[resource];
        boolean beside = least == 0 || least - requests.held()[resource] <= room.left()[resource];
        may &= least <= room.drained()[resource] && (isCovered(resource, room) || beside);
      }
      return may;
    }

    private boolean isCovered(int resource, Room room) {
      return requests.least()[resource] <= room.drained()[resource]
          && requests.least()[resource] <= requests.own()[resource]
          && requests.covered()[resource] <= room.free()[resource];
    }
  }

  private final TreeMap<Integer, Entered> entered = new TreeMap<>();
  private int leftOut;

  private static QuotaTree tree(SplittableRandom random) {
    List<Cohort> cohorts = new ArrayList<>();
    for (int number = 1; number < 1 + random.nextInt(9); number++) {
      String parent = "c" + random.nextInt(number);
      cohorts.add(ClusterQueueBuilder.named("c" + number).cohort(parent).buildCohort());
    }
    List<ClusterQueue> queues = new ArrayList<>();
    for (int number = 0; number < 1 + random.nextInt(40); number++) {
      String cohort = "c" + random.nextInt(cohorts.size() + 1);
      queues.add(ClusterQueueBuilder.named("q" + number).cohort(cohort).build());
    }
    return new QuotaTree(queues, cohorts, List.of());
  }

  private static long[] amounts(SplittableRandom random, int from, int to) {
    return random.longs(RESOURCES, from, to).toArray();
  }

  private void enter(HeadIndex index, int queue, SplittableRandom random) {
    if (random.nextInt(10) == 0) {
      index.clear(queue);
      entered.remove(queue);
      return;
    }
    long[] least = amounts(random, 0, 20);
    long[] covered = least.clone();
    covered[0] += random.nextInt(5);
    Entered its =
        new Entered(
            new Requests(least, covered, amounts(random, -5, 30), amounts(random, 0, 10)),
            random.nextInt(4) == 0 ? HeadIndex.NOWHERE : random.nextInt(1_000),
            random.nextInt(1_000));
    entered.put(queue, its);
    index.set(queue, its.requests(), its.placeWithin(), its.place());
  }

  /** Checks the bounds of a pair, and of all pairs below it. */
  private void check(HeadIndex index, QuotaTree tree, int cohort, int pair, Room room) {
    List<Entered> below =
        queuesBelow(index, tree, cohort, pair).stream()
            .filter(entered::containsKey)
            .map(entered::get)
            .toList();
    for (Entered its : below) {
      if (its.mayBeWithin(room)) {
        assertThat(index.mayBeWithin(pair, room)).isTrue();
        assertThat(index.placeWithin(pair)).isLessThanOrEqualTo(its.placeWithin());
      }
      if (its.mayFit(room)) {
        assertThat(index.mayFit(pair, room)).isTrue();
        assertThat(index.place(pair)).isLessThanOrEqualTo(its.place());
      }
    }
    leftOut += index.mayFit(pair, room) ? 0 : 1;
    if (below.size() == 1 && index.isChild(cohort, pair)) {
      assertThat(index.mayBeWithin(pair, room)).isEqualTo(below.get(0).mayBeWithin(room));
      assertThat(index.mayFit(pair, room)).isEqualTo(below.get(0).mayFit(room));
    }
    if (!index.isChild(cohort, pair)) {
      check(index, tree, cohort, index.below(cohort, pair), room);
      check(index, tree, cohort, index.below(cohort, pair) + 1, room);
    } else if (!isLeaf(tree, index.child(cohort, pair))) {
      check(index, tree, index.child(cohort, pair), index.top(index.child(cohort, pair)), room);
    }
  }

  private static boolean isLeaf(QuotaTree tree, int node) {
    return tree.children(node).isEmpty();
  }

  private static List<Integer> queuesBelow(HeadIndex index, QuotaTree tree, int cohort, int pair) {
    List<Integer> queues = new ArrayList<>();
    if (!index.isChild(cohort, pair)) {
      queues.addAll(queuesBelow(index, tree, cohort, index.below(cohort, pair)));
      queues.addAll(queuesBelow(index, tree, cohort, index.below(cohort, pair) + 1));
    } else if (tree.isQueue(index.child(cohort, pair))) {
      queues.add(index.child(cohort, pair));
    } else if (!isLeaf(tree, index.child(cohort, pair))) {
      int child = index.child(cohort, pair);
      queues.addAll(queuesBelow(index, tree, child, index.top(child)));
    }
    return queues;
  }

  private void live(SplittableRandom random) {
    entered.clear();
    QuotaTree tree = tree(random);
    HeadIndex index = new HeadIndex(tree, new int[RESOURCES][0]);
    int root = tree.cohortNode("c0");
    if (isLeaf(tree, root)) {
      return;
    }
    assertThat(queuesBelow(index, tree, root, index.top(root)))
        .doesNotHaveDuplicates()
        .hasSize(tree.queues());
    for (int change = 0; change < 100; change++) {
      enter(index, random.nextInt(tree.queues()), random);
      long[] free = amounts(random, 0, 25);
      long[] left = {free[0] - random.nextInt(20), free[1] - random.nextInt(20)};
      check(index, tree, root, index.top(root), new Room(amounts(random, 0, 25), free, left));
    }
  }

  @Test
  void aQueueWhoseHeadsMayFitIsNotLeftOut() {
    Seeds.check(200, this::live);
    assertThat(leftOut).isGreaterThan(10_000);
  }
}
