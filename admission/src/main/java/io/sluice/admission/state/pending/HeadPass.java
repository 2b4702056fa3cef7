// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.pending;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Prospect;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The heads of a queue's buckets that are not parked individually, with a cursor that marks the
 * heads already passed over.
 *
 * <p>A pass goes through a queue once, from its first head to its last, until {@link #restart}. A
 * head without a {@link Prospect} is passed over without a trial. It is then out of the pass like a
 * head that was tried in vain, so decisions do not depend on the tightness of the bound. Passing
 * over any number of heads moves the cursor and costs one search. A head added before the cursor is
 * an arrival, which the pass still has to try.
 */
final class HeadPass {
  private final JobBlocks heads = new JobBlocks();

  /** Heads added at or before the cursor and not passed over since. */
  private final JobBlocks arrivals = new JobBlocks();

  /** The place of the last head that was passed over; null if none was. */
  private @Nullable QueuePlace cursor;

  void add(JobEntry head, long[] demand, long stay) {
    (isBehindCursor(head) ? heads : arrivals).add(head, demand, stay);
  }

  void remove(JobEntry head) {
    (arrivals.contains(head) ? arrivals : heads).remove(head);
  }

  private boolean isBehindCursor(JobEntry head) {
    return cursor == null || cursor.isBefore(head);
  }

  /** Returns whether a head was passed over. */
  boolean isPassed(JobEntry head) {
    return !isBehindCursor(head) && !arrivals.contains(head);
  }

  /** Returns the first head, passed over or not; null if there is none. */
  @Nullable JobEntry first() {
    return earlier(
        heads.isEmpty() ? null : heads.first(), arrivals.isEmpty() ? null : arrivals.first());
  }

  /** Returns the first head with a prospect that was not passed over; null if there is none. */
  @Nullable JobEntry first(Prospect prospect) {
    return earlier(heads.firstBehind(cursor, prospect), arrivals.first(prospect));
  }

  /** Returns the first heads with a prospect, passed over or not, in no order. */
  List<JobEntry> first(Prospect prospect, int most) {
    List<JobEntry> found = new ArrayList<>();
    heads.addFirst(prospect, most, found);
    arrivals.addFirst(prospect, most, found);
    return found;
  }

  private static @Nullable JobEntry earlier(@Nullable JobEntry one, @Nullable JobEntry other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Lowers amounts to the smallest demands of the heads, by number of resource from an offset. May
   * include heads that were passed over.
   */
  void lowerToLeast(long[] amounts, int from, int resources) {
    heads.lowerToLeast(cursor, amounts, from, resources);
    arrivals.lowerToLeast(null, amounts, from, resources);
  }

  /**
   * Passes over all heads before a given one, which was not passed over.
   *
   * @return whether any head was newly passed over
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
   * @return whether any head was newly passed over
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
    heads.add(arrival, PendingIndex.demandOf(arrival), PendingIndex.stayOf(arrival));
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
