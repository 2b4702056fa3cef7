// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.pending;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Prospect;
import org.jspecify.annotations.Nullable;

/**
 * The heads of a queue's buckets that are not parked one by one, and a cursor that tells which of
 * them a pass has left behind.
 *
 * <p>A pass goes through a queue once, from its first head to its last, until {@link #restart}. A
 * head that has no {@link Prospect} is passed over without being tried. It is then out of the pass
 * like one that was tried in vain, so that what is decided does not depend on how tight the bound
 * is. A pass over any number of heads moves the cursor and costs one search. A head that comes in
 * before the cursor is an arrival, which the pass has yet to try.
 */
final class HeadPass {
  private final JobBlocks heads = new JobBlocks();

  /** Heads that came in at the cursor or before it, and were not passed over since. */
  private final JobBlocks arrivals = new JobBlocks();

  /** The place of the last head that was passed over; null if none was. */
  private @Nullable QueuePlace cursor;

  void add(JobEntry head, long[] demand) {
    (isBehindCursor(head) ? heads : arrivals).add(head, demand);
  }

  void remove(JobEntry head) {
    (arrivals.contains(head) ? arrivals : heads).remove(head);
  }

  private boolean isBehindCursor(JobEntry head) {
    return cursor == null || cursor.isBefore(head);
  }

  /** Whether a head was passed over. */
  boolean isPassed(JobEntry head) {
    return !isBehindCursor(head) && !arrivals.contains(head);
  }

  /** The first head, passed over or not; null if there is none. */
  @Nullable JobEntry first() {
    return earlier(
        heads.isEmpty() ? null : heads.first(), arrivals.isEmpty() ? null : arrivals.first());
  }

  /** The first head with a prospect that was not passed over; null if there is none. */
  @Nullable JobEntry first(Prospect prospect) {
    return earlier(heads.firstBehind(cursor, prospect), arrivals.first(prospect));
  }

  private static @Nullable JobEntry earlier(@Nullable JobEntry one, @Nullable JobEntry other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Lowers amounts, from a place on by number of resource, to the least that heads ask for. Some
   * that were passed over may be among them.
   */
  void lowerToLeast(long[] amounts, int from, int resources) {
    heads.lowerToLeast(cursor, amounts, from, resources);
    arrivals.lowerToLeast(null, amounts, from, resources);
  }

  /**
   * Passes over all heads before a given one that was not passed over.
   *
   * @return whether there were any
   */
  boolean passBefore(JobEntry head) {
    boolean any = false;
    while (!arrivals.isEmpty() && arrivals.first().compareTo(head) < 0) {
      passFirstArrival();
      any = true;
    }
    return moveCursor(heads.lastBefore(head)) || any;
  }

  /**
   * Passes over all heads.
   *
   * @return whether there were any that had not been passed over
   */
  boolean passAll() {
    boolean any = !arrivals.isEmpty();
    while (!arrivals.isEmpty()) {
      passFirstArrival();
    }
    return moveCursor(heads.isEmpty() ? null : heads.last()) || any;
  }

  private void passFirstArrival() {
    JobEntry arrival = arrivals.first();
    arrivals.remove(arrival);
    heads.add(arrival, PendingIndex.demandOf(arrival));
  }

  private boolean moveCursor(@Nullable JobEntry last) {
    if (last == null || !isBehindCursor(last)) {
      return false;
    }
    cursor = QueuePlace.of(last);
    return true;
  }

  /** Begins a new pass, in which no head has been passed over. */
  void restart() {
    while (!arrivals.isEmpty()) {
      passFirstArrival();
    }
    cursor = null;
  }
}
