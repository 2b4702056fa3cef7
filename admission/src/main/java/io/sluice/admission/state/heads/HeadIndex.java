// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.heads;

import io.sluice.admission.quota.QuotaTree;
import java.util.Arrays;

/**
 * Winner trees over the queues of each cohort tree: below each node, the least that any head
 * requests, and the place in the order of the first head. A search for the first head that fits
 * leaves out all queues below a node whose least request is more than what is free.
 *
 * <p>Each cohort has a winner tree of its children, as in a tournament, so that a change of one
 * queue concerns only the pairs between it and the root. The amounts of a queue are bounds: they
 * may be less than its heads request, and its place may be earlier than theirs, never the other way
 * round.
 */
public final class HeadIndex {
  /** Behind every place in the order. */
  static final long NOWHERE = Long.MAX_VALUE;

  /** The bound of heads that do not request a resource. */
  private static final long ANY = Long.MIN_VALUE;

  private final QuotaTree tree;
  private final int[][] numbers;
  private final int width;

  /** The least request of any head, by pair and resource. */
  private final long[] requests;

  /** What must be free for a head that its queue's own quota covers, by pair and resource. */
  private final long[] within;

  /** The least request of any head less what is held for its queue, by pair and resource. */
  private final long[] beyond;

  private final long[] placesWithin;
  private final long[] places;

  /**
   * Creates the trees of empty queues.
   *
   * @param numbers the numbers of (flavor, resource) in the tree, by number of resource
   */
  HeadIndex(QuotaTree tree, int[][] numbers) {
    this.tree = tree;
    this.numbers = numbers;
    this.width = numbers.length;
    int pairs = 2 * tree.size();
    this.requests = new long[pairs * width];
    this.within = new long[pairs * width];
    this.beyond = new long[pairs * width];
    this.placesWithin = new long[pairs];
    this.places = new long[pairs];
    Arrays.fill(requests, Long.MAX_VALUE);
    Arrays.fill(within, Long.MAX_VALUE);
    Arrays.fill(beyond, Long.MAX_VALUE);
    Arrays.fill(placesWithin, NOWHERE);
    Arrays.fill(places, NOWHERE);
  }

  /** Returns the numbers of (flavor, resource), by number of resource. Must not be modified. */
  public int[][] numbers() {
    return numbers;
  }

  /** Returns the pair that stands for all children of a cohort. Requires that it has children. */
  public int top(int cohort) {
    return tree.firstPair(cohort) + 1;
  }

  /** Returns the first of the two pairs that a pair of a cohort stands for; the other is next. */
  public int below(int cohort, int pair) {
    int first = tree.firstPair(cohort);
    return first + 2 * (pair - first);
  }

  /** Returns whether a pair of a cohort stands for one of its children alone. */
  public boolean isChild(int cohort, int pair) {
    return pair - tree.firstPair(cohort) >= sides(cohort);
  }

  /** Returns the child of a cohort for which a pair stands. */
  public int child(int cohort, int pair) {
    return tree.children(cohort).get(pair - tree.firstPair(cohort) - sides(cohort));
  }

  private int sides(int cohort) {
    return tree.children(cohort).size();
  }

  /** Records that a queue has no heads. */
  void clear(int queue) {
    fill(queue, Long.MAX_VALUE, Long.MAX_VALUE, NOWHERE);
  }

  /** Records that nothing is known of the heads of a queue. */
  void open(int queue) {
    fill(queue, 0, ANY, Long.MIN_VALUE);
  }

  private void fill(int queue, long own, long any, long place) {
    int pair = tree.pairOf(queue);
    Arrays.fill(requests, pair * width, (pair + 1) * width, own);
    Arrays.fill(within, pair * width, (pair + 1) * width, own);
    Arrays.fill(beyond, pair * width, (pair + 1) * width, any);
    placesWithin[pair] = place;
    places[pair] = place;
    replay(queue);
  }

  /**
   * What the heads of a queue request, by number of resource.
   *
   * @param least the least request of any head
   * @param covered the least that must be free for any head that the queue's own quota covers
   * @param own what is left of the queue's own quota
   * @param held what is held for its jobs
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Requests(long[] least, long[] covered, long[] own, long[] held) {}

  /**
   * Records the heads of a queue.
   *
   * @param placeWithin the place of the first head within the queue's own quota; {@link #NOWHERE}
   *     if there is none
   * @param place the place of the first head
   */
  void set(int queue, Requests of, long placeWithin, long place) {
    int pair = tree.pairOf(queue);
    for (int resource = 0; resource < width; resource++) {
      long amount = of.least[resource];
      requests[pair * width + resource] = amount;
      within[pair * width + resource] =
          amount <= of.own[resource] ? of.covered[resource] : Long.MAX_VALUE;
      long beside = amount == Long.MAX_VALUE ? amount : amount - of.held[resource];
      beyond[pair * width + resource] = amount == 0 ? ANY : beside;
    }
    placesWithin[pair] = placeWithin;
    places[pair] = place;
    replay(queue);
  }

  /** Plays the pairs between a queue and the root anew. */
  private void replay(int queue) {
    for (int node = queue; tree.hasParent(node); node = tree.parent(node)) {
      int cohort = tree.parent(node);
      int first = tree.firstPair(cohort);
      for (int pair = (sides(cohort) + tree.place(node)) / 2; pair > 0; pair /= 2) {
        copyLesser(first + 2 * pair, first + 2 * pair + 1, first + pair);
      }
      if (tree.hasParent(cohort)) {
        copyLesser(first + 1, first + 1, tree.pairOf(cohort));
      }
    }
  }

  private void copyLesser(int one, int other, int to) {
    for (int resource = 0; resource < width; resource++) {
      int first = one * width + resource;
      int second = other * width + resource;
      int into = to * width + resource;
      requests[into] = Math.min(requests[first], requests[second]);
      within[into] = Math.min(within[first], within[second]);
      beyond[into] = Math.min(beyond[first], beyond[second]);
    }
    placesWithin[to] = Math.min(placesWithin[one], placesWithin[other]);
    places[to] = Math.min(places[one], places[other]);
  }

  /**
   * What heads can get of each resource, by its number.
   *
   * @param drained what no attempt uses, even a draining one
   * @param free what is free once all draining attempts are gone
   * @param left the same without what is held for planned starts
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Room(long[] drained, long[] free, long[] left) {}

  /** Returns whether a head below a pair may fit within its queue's own quota. */
  public boolean mayBeWithin(int pair, Room room) {
    if (placesWithin[pair] == NOWHERE) {
      return false;
    }
    for (int at = pair * width, resource = 0; resource < width; at++, resource++) {
      if (requests[at] > room.drained[resource] || within[at] > room.free[resource]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether a head below a pair may fit: of each resource, either within its queue's own
   * quota or beside all that is held for others.
   */
  public boolean mayFit(int pair, Room room) {
    if (places[pair] == NOWHERE) {
      return false;
    }
    for (int at = pair * width, resource = 0; resource < width; at++, resource++) {
      if (requests[at] > room.drained[resource]
          || (within[at] > room.free[resource] && beyond[at] > room.left[resource])) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the own quota of a queue below a pair may cover what a head requests. */
  public boolean mayCover(int pair, int resource) {
    return within[pair * width + resource] != Long.MAX_VALUE;
  }

  /** Returns an amount that no head below a pair requests less of than beside what it holds. */
  public long least(int pair, int resource) {
    return beyond[pair * width + resource];
  }

  /** Returns the first place of a head below a pair that is within its queue's own quota. */
  public long placeWithin(int pair) {
    return placesWithin[pair];
  }

  /** Returns the first place of a head below a pair. */
  public long place(int pair) {
    return places[pair];
  }
}
