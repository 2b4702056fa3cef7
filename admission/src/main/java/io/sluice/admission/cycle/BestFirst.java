// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.heads.HeadIndex;
import io.sluice.admission.state.promise.HeldRoom;
import java.util.BitSet;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the queues of a cohort tree in the order in which their heads may be served, and stops
 * where no other head can be admitted in this cycle. A cycle that looks at all queues serves the
 * same heads: those that are left out would not fit any more when it is their turn.
 *
 * <p>It is a best-first search over the {@link HeadIndex}. A heap contains pairs of the index and
 * heads that were found, by borrowing level and order; those of a pair are bounds for all heads
 * below it. A pair whose least request is more than what the heads served so far leave free is left
 * out, see {@link RoomBounds}.
 */
final class BestFirst {
  /**
   * What the heap contains.
   *
   * @param level the borrowing level of a head, or the least of all heads below a pair
   * @param order the place of a head in the order, or the first of all heads below a pair
   * @param cohort the cohort of a pair; {@link #NO_COHORT} if this is a head
   * @param number of the pair in the index, or of the head among the entrants
   */
  private record Item(int level, long order, int cohort, int number) {
    boolean isHead() {
      return cohort == NO_COHORT;
    }
  }

  private static final int NO_COHORT = -1;

  private final AdmissionState state;
  private final QuotaTree tree;
  private final Entrants entrants;
  private final HeadIndex index;
  private final @Nullable HeldRoom held;
  private final IntConsumer look;
  private final PriorityQueue<Item> heap;

  /**
   * Prepares a search in the present state.
   *
   * @param held what is held for planned starts; null if nothing is
   * @param look looks at the queue of a node, and adds its head to the entrants if there is one
   */
  BestFirst(AdmissionState state, Entrants entrants, @Nullable HeldRoom held, IntConsumer look) {
    this.state = state;
    this.tree = state.ledger().tree();
    this.entrants = entrants;
    this.index = state.tries().indexedHeads().index(state.ledger(), held);
    this.held = held;
    this.look = look;
    this.heap = new PriorityQueue<>(this::compare);
  }

  /** Compares by borrowing level and order. Of equals, pairs come before heads. */
  private int compare(Item one, Item other) {
    if (one.level != other.level) {
      return one.level < other.level ? -1 : 1;
    }
    if (one.order != other.order) {
      return one.order < other.order ? -1 : 1;
    }
    if (one.isHead() != other.isHead()) {
      return other.isHead() ? -1 : 1;
    }
    return one.isHead() ? entrants.compareEquals(one.number, other.number) : 0;
  }

  /**
   * Looks at the queues of a tree.
   *
   * @param toTry the nodes of the queues to try; those that need not be looked at are removed
   */
  void search(int root, BitSet toTry) {
    RoomBounds bounds = new RoomBounds(state.ledger(), root, index.numbers(), held);
    heap.clear();
    push(root, index.top(root), bounds);
    while (mayFit(index.top(root), bounds)) {
      Item first = heap.poll();
      if (first == null) {
        break;
      }
      if (first.isHead()) {
        bounds.take(entrants.job(first.number()), entrants.taken(first.number()));
      } else if (!goOn(first.cohort(), first.number(), toTry, bounds)) {
        return;
      }
    }
    toTry.andNot(state.tries().nodesBelow(root));
  }

  /**
   * Continues below a pair.
   *
   * @return false if a head was found that, once admitted, would change more than what is free
   */
  private boolean goOn(int cohort, int pair, BitSet toTry, RoomBounds bounds) {
    if (!index.isChild(cohort, pair)) {
      int below = index.below(cohort, pair);
      push(cohort, below, bounds);
      push(cohort, below + 1, bounds);
      return true;
    }
    int child = index.child(cohort, pair);
    if (!mayFit(pair, bounds)) {
      return true;
    }
    if (!tree.isQueue(child)) {
      push(child, index.top(child), bounds);
      return true;
    }
    return !toTry.get(child) || lookAt(child, toTry);
  }

  private boolean lookAt(int queue, BitSet toTry) {
    int before = entrants.size();
    toTry.clear(queue);
    look.accept(queue);
    if (entrants.size() == before) {
      return true;
    }
    if (!entrants.isPlain(before)) {
      return false;
    }
    heap.add(new Item(entrants.level(before), entrants.order(before), NO_COHORT, before));
    return true;
  }

  private boolean mayFit(int pair, RoomBounds bounds) {
    return index.mayFit(pair, bounds.room());
  }

  /** Pushes a pair of a cohort, unless no head below it fits. */
  private void push(int cohort, int pair, RoomBounds bounds) {
    if (index.mayBeWithin(pair, bounds.room())) {
      heap.add(new Item(0, index.placeWithin(pair), cohort, pair));
    } else if (mayFit(pair, bounds)) {
      heap.add(new Item(leastLevel(cohort, pair), index.place(pair), cohort, pair));
    }
  }

  /** Returns a level below which no head below a pair borrows. */
  private int leastLevel(int cohort, int pair) {
    int[][] numbers = index.numbers();
    int least = 0;
    for (int resource = 0; resource < numbers.length; resource++) {
      // A head borrows nothing of a resource that its queue's own quota covers.
      if (!index.mayCover(pair, resource)) {
        least = Math.max(least, leastLevel(cohort, index.least(pair, resource), numbers[resource]));
      }
    }
    return least;
  }

  private int leastLevel(int cohort, long amount, int[] numbers) {
    if (tree.height(cohort) > 1) {
      return 1;
    }
    int at = cohort;
    while (tree.hasParent(at) && ownLeft(at, numbers) < amount) {
      at = tree.parent(at);
    }
    return tree.height(at);
  }

  private long ownLeft(int cohort, int[] numbers) {
    long most = Long.MIN_VALUE;
    for (int number : numbers) {
      most = Math.max(most, state.ledger().held().ownLeft(cohort, number));
    }
    return most;
  }
}
