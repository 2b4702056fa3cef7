// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.forecast.Timeline;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Usage of a {@link QuotaTree} as a function of time, by node and (flavor, resource). Like {@link
 * QuotaUsage} it counts usage beyond a node's local quota in its parent.
 *
 * <p>A booked amount of a queue counts in its ancestors as if the queue used it, except for what
 * the queue does use: they see the larger of both. While some of a flavor is absent, the usage of
 * all queues together may not exceed the quota of all roots less what is absent.
 *
 * <p>Without lending limits on the way to the root, all usage counts at every node, and a question
 * is one search per node. Below a node with local quota, the part that counts in the parent differs
 * by time, so changes and questions go step by step.
 */
public final class QuotaForecast {
  /** Amounts beyond this count as this, so that sums stay within a long. */
  private static final long AMOUNT_MAX = 1L << 52;

  private final QuotaTree tree;
  private final @Nullable Timeline[] used;
  private final @Nullable Timeline[] booked;
  private final @Nullable Timeline[] usedByAll;
  private final @Nullable Timeline[] together;
  private final @Nullable Timeline[] absent;
  private final long[] totals;

  /** Creates a forecast without usage. */
  public QuotaForecast(QuotaTree tree) {
    this.tree = tree;
    this.used = new Timeline[tree.at(tree.size(), 0)];
    this.booked = new Timeline[used.length];
    this.usedByAll = new Timeline[tree.flavorResources().size()];
    this.together = new Timeline[usedByAll.length];
    this.absent = new Timeline[usedByAll.length];
    this.totals = new long[usedByAll.length];
    Arrays.fill(totals, -1);
  }

  public QuotaTree tree() {
    return tree;
  }

  /**
   * Adds usage of a node for a range of time; a negative amount undoes the same change.
   *
   * @param from first time, in {@link Ticks}
   * @param to end, exclusive; {@link Ticks#NEVER} for an endless range
   */
  public void add(int node, int flavorResource, long amount, long from, long to) {
    long counted = Math.max(-AMOUNT_MAX, Math.min(AMOUNT_MAX, amount));
    if (counted == 0 || from >= to) {
      return;
    }
    countTogether(node, flavorResource, counted, 0, from, to);
    addAt(node, flavorResource, counted, from, to);
  }

  private void addAt(int node, int flavorResource, long amount, long from, long to) {
    if (amount != 0) {
      countAbove(node, flavorResource, amount, 0, from, to);
      timeline(used, tree.at(node, flavorResource)).add(from, to, amount);
    }
  }

  /**
   * Adds an amount that is booked for a queue in a range of time; a negative one undoes the same
   * change.
   */
  public void book(int node, int flavorResource, long amount, long from, long to) {
    long counted = Math.max(-AMOUNT_MAX, Math.min(AMOUNT_MAX, amount));
    if (counted == 0 || from >= to) {
      return;
    }
    countTogether(node, flavorResource, 0, counted, from, to);
    countAbove(node, flavorResource, 0, counted, from, to);
    timeline(booked, tree.at(node, flavorResource)).add(from, to, counted);
  }

  /**
   * Adds an amount that is absent in a range of time; a negative one undoes the same change. The
   * first absence of a (flavor, resource) has to be added before its usage and bookings.
   */
  public void withdraw(int flavorResource, long amount, long from, long to) {
    timeline(usedByAll, flavorResource);
    timeline(together, flavorResource);
    timeline(absent, flavorResource)
        .add(from, to, Math.max(-AMOUNT_MAX, Math.min(AMOUNT_MAX, amount)));
  }

  /** Returns the quota of all roots together. */
  public long total(int flavorResource) {
    if (totals[flavorResource] >= 0) {
      return totals[flavorResource];
    }
    long total = 0;
    for (int node = 0; node < tree.size(); node++) {
      if (!tree.hasParent(node)) {
        total = QuotaTree.saturatedSum(total, tree.subtreeQuota(node, flavorResource));
      }
    }
    totals[flavorResource] = Math.min(AMOUNT_MAX, total);
    return totals[flavorResource];
  }

  /** Counts what more usage or bookings of a queue count in the usage of all queues. */
  private void countTogether(
      int node, int flavorResource, long more, long moreBooked, long from, long to) {
    Timeline all = together[flavorResource];
    int at = tree.at(node, flavorResource);
    if (all == null) {
      return;
    }
    timeline(usedByAll, flavorResource).add(from, to, more);
    if (booked[at] == null && moreBooked == 0) {
      all.add(from, to, more);
      return;
    }
    for (long time = from; time < to; ) {
      long next = Math.min(to, Math.min(nextStep(used[at], time), nextStep(booked[at], time)));
      long use = amount(used[at], time);
      long kept = amount(booked[at], time);
      all.add(time, next, Math.max(use + more, kept + moreBooked) - Math.max(use, kept));
      time = next;
    }
  }

  /** Counts in the parent what more usage or bookings of a node count there. */
  private void countAbove(
      int node, int flavorResource, long more, long moreBooked, long from, long to) {
    if (!tree.hasParent(node)) {
      return;
    }
    int at = tree.at(node, flavorResource);
    long local = tree.localQuota(node, flavorResource);
    Timeline bookings = booked[at];
    if (local == 0 && bookings == null && moreBooked == 0) {
      addAt(tree.parent(node), flavorResource, more, from, to);
      return;
    }
    Timeline its = timeline(used, at);
    for (long time = from; time < to; ) {
      long next = Math.min(to, Math.min(its.nextStep(time), nextStep(bookings, time)));
      long use = its.at(time);
      long kept = amount(bookings, time);
      long before = Math.max(0, Math.max(use, kept) - local);
      long after = Math.max(0, Math.max(use + more, kept + moreBooked) - local);
      addAt(tree.parent(node), flavorResource, after - before, time, next);
      time = next;
    }
  }

  private static Timeline timeline(@Nullable Timeline[] of, int at) {
    Timeline its = of[at];
    if (its == null) {
      its = new Timeline();
      of[at] = its;
    }
    return its;
  }

  private static long nextStep(@Nullable Timeline timeline, long time) {
    return timeline == null ? Ticks.NEVER : timeline.nextStep(time);
  }

  private static long amount(@Nullable Timeline timeline, long time) {
    return timeline == null ? 0 : timeline.at(time);
  }

  /** Forgets what ends at or before a time. */
  public void forgetBefore(long time) {
    forgetBefore(used, time);
    forgetBefore(booked, time);
    forgetBefore(usedByAll, time);
    forgetBefore(together, time);
    forgetBefore(absent, time);
  }

  private static void forgetBefore(@Nullable Timeline[] some, long time) {
    for (Timeline its : some) {
      if (its != null) {
        its.forgetBefore(time);
      }
    }
  }

  /**
   * Returns the end of the longest range from a time in which an amount more fits the queue and its
   * ancestors; the time itself if it does not fit there, {@link Ticks#NEVER} if it fits for ever.
   */
  public long fitsUntil(int node, int flavorResource, long amount, long from) {
    if (amount <= 0) {
      return Ticks.NEVER;
    }
    return Math.min(
        fitsTreeUntil(node, flavorResource, amount, from),
        fitsTogetherUntil(node, flavorResource, amount, from));
  }

  private long fitsTreeUntil(int node, int flavorResource, long amount, long from) {
    long until = firstAbove(node, flavorResource, amount, from, Ticks.NEVER);
    if (!tree.hasParent(node)) {
      return until;
    }
    return countsAll(node, flavorResource)
        ? Math.min(until, fitsTreeUntil(tree.parent(node), flavorResource, amount, from))
        : Math.min(until, fitsStepwiseUntil(node, flavorResource, amount, from, until));
  }

  /** Returns whether all usage of a node counts in its parent. */
  private boolean countsAll(int node, int flavorResource) {
    return tree.localQuota(node, flavorResource) == 0
        && booked[tree.at(node, flavorResource)] == null;
  }

  private long fitsStepwiseUntil(int node, int flavorResource, long amount, long from, long until) {
    long local = tree.localQuota(node, flavorResource);
    int at = tree.at(node, flavorResource);
    for (long time = from; time < until; ) {
      long next = Math.min(until, Math.min(nextStep(used[at], time), nextStep(booked[at], time)));
      long use = amount(used[at], time);
      long kept = amount(booked[at], time);
      long before = Math.max(0, Math.max(use, kept) - local);
      long more = Math.max(0, Math.max(use + amount, kept) - local) - before;
      long end = more == 0 ? next : fitsTreeUntil(tree.parent(node), flavorResource, more, time);
      if (end < next) {
        return end;
      }
      time = next;
    }
    return until;
  }

  /** The same for the usage and the bookings of all queues beside what is absent. */
  private long fitsTogetherUntil(int node, int flavorResource, long amount, long from) {
    int at = tree.at(node, flavorResource);
    if (absent[flavorResource] == null) {
      return Ticks.NEVER;
    }
    if (booked[at] == null) {
      return isThereUntil(together, flavorResource, amount, from);
    }
    // What is booked may have become absent.
    long until = isThereUntil(usedByAll, flavorResource, amount, from);
    for (long time = from; time < until; ) {
      long next = Math.min(nextStep(used[at], time), nextStep(booked[at], time));
      long use = amount(used[at], time);
      long kept = amount(booked[at], time);
      long more = Math.max(use + amount, kept) - Math.max(use, kept);
      long end = more == 0 ? next : isThereUntil(together, flavorResource, more, time);
      if (end < Math.min(next, until)) {
        return end;
      }
      time = next;
    }
    return until;
  }

  /**
   * Returns the end of the longest range from a time in which all queues may use an amount more,
   * beside what is absent.
   *
   * @param by their usage, with or without bookings
   */
  private long isThereUntil(@Nullable Timeline[] by, int flavorResource, long amount, long from) {
    Timeline missing = absent[flavorResource];
    Timeline all = by[flavorResource];
    if (missing == null || all == null) {
      return Ticks.NEVER;
    }
    long total = total(flavorResource);
    for (long time = from; time != Ticks.NEVER; time = missing.nextStep(time)) {
      long lacking = missing.at(time);
      if (lacking > 0) {
        long above = all.firstAbove(time, missing.nextStep(time), total - lacking - amount);
        if (above != Ticks.NEVER) {
          return above;
        }
      }
    }
    return Ticks.NEVER;
  }

  /**
   * Returns the end of the longest range from a time in which the ancestors of a queue use no more
   * than they may, and all trees no more than there is.
   */
  public long holdsUntil(int node, int flavorResource, long from) {
    long until = isThereUntil(together, flavorResource, 0, from);
    for (int at = node; tree.hasParent(at); ) {
      at = tree.parent(at);
      until = Math.min(until, firstAbove(at, flavorResource, 0, from, until));
    }
    return until;
  }

  /** Returns the end of the longest range from a time in which all use no more than there is. */
  public long isThereUntil(int flavorResource, long from) {
    return isThereUntil(usedByAll, flavorResource, 0, from);
  }

  private long firstAbove(int node, int flavorResource, long amount, long from, long to) {
    Timeline its = used[tree.at(node, flavorResource)];
    long room = tree.usageLimit(node, flavorResource) - amount;
    if (its == null) {
      return room < 0 ? from : Ticks.NEVER;
    }
    return its.firstAbove(from, to, room);
  }

  /**
   * Returns the first time, not before another, from which an amount fits for a while; {@link
   * Ticks#NEVER} if there is none.
   *
   * @param length {@link Ticks#NEVER} for an endless while
   */
  public long firstFit(int node, int flavorResource, long amount, long from, long length) {
    if (amount <= 0) {
      return from;
    }
    LongUnaryOperator next =
        keepsOnWay(node, flavorResource)
            ? at ->
                Math.min(nextStepOnWay(node, flavorResource, at), nextStepOfAll(flavorResource, at))
            : at ->
                firstThere(
                    flavorResource,
                    amount,
                    laterOnWay(node, flavorResource, amount, at, length),
                    length);
    long start = from;
    while (start != Ticks.NEVER) {
      long until = fitsUntil(node, flavorResource, amount, start);
      if (until == Ticks.NEVER || until >= Ticks.plus(start, length)) {
        return start;
      }
      start = next.applyAsLong(Math.max(start, until));
    }
    return Ticks.NEVER;
  }

  /** Returns whether a node on the way has quota that nobody else may use, or something booked. */
  private boolean keepsOnWay(int node, int flavorResource) {
    return !countsAll(node, flavorResource)
        || (tree.hasParent(node) && keepsOnWay(tree.parent(node), flavorResource));
  }

  /** Returns the first step after a time at the node or an ancestor. */
  private long nextStepOnWay(int node, int flavorResource, long time) {
    int at = tree.at(node, flavorResource);
    long next = Math.min(nextStep(used[at], time), nextStep(booked[at], time));
    return tree.hasParent(node)
        ? Math.min(next, nextStepOnWay(tree.parent(node), flavorResource, time))
        : next;
  }

  private long nextStepOfAll(int flavorResource, long time) {
    return absent[flavorResource] == null
        ? Ticks.NEVER
        : Math.min(
            nextStep(absent[flavorResource], time), nextStep(together[flavorResource], time));
  }

  /** Returns the first time, not before another, from which an amount is there for a while. */
  private long firstThere(int flavorResource, long amount, long time, long length) {
    for (long start = time; start != Ticks.NEVER; ) {
      long until = isThereUntil(together, flavorResource, amount, start);
      if (until == Ticks.NEVER || until >= Ticks.plus(start, length)) {
        return start;
      }
      start = nextStepOfAll(flavorResource, Math.max(start, until));
    }
    return Ticks.NEVER;
  }

  /** Returns the latest of the first fits of each on the way, none before a time. */
  private long laterOnWay(int node, int flavorResource, long amount, long time, long length) {
    Timeline its = used[tree.at(node, flavorResource)];
    long room = tree.usageLimit(node, flavorResource) - amount;
    long first = its == null ? (room < 0 ? Ticks.NEVER : time) : its.firstFit(time, length, room);
    return tree.hasParent(node) && first != Ticks.NEVER
        ? laterOnWay(tree.parent(node), flavorResource, amount, first, length)
        : first;
  }

  /**
   * Returns an upper bound of the amount that fits a queue at a time: the room of the queue and, as
   * far as nobody on the way keeps quota, of its ancestors.
   */
  public long mostAt(int node, int flavorResource, long time) {
    long most = Long.MAX_VALUE;
    int at = node;
    while (true) {
      Timeline its = used[tree.at(at, flavorResource)];
      long use = its == null ? 0 : its.at(time);
      most = Math.min(most, tree.usageLimit(at, flavorResource) - use);
      if (!tree.hasParent(at) || !countsAll(at, flavorResource)) {
        return most;
      }
      at = tree.parent(at);
    }
  }

  /** Returns whether a node uses at most an amount in a range of time. */
  public boolean staysWithin(int node, int flavorResource, long amount, long from, long to) {
    Timeline its = used[tree.at(node, flavorResource)];
    return its == null ? amount >= 0 : its.firstAbove(from, to, amount) == Ticks.NEVER;
  }
}
