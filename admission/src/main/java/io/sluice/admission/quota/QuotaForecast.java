// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.forecast.Timeline;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Usage of a {@link QuotaTree} as a function of time, by node and (flavor, resource). Like {@link
 * QuotaUsage} it counts usage beyond a node's local quota in its parent.
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

  /** Creates a forecast without usage. */
  public QuotaForecast(QuotaTree tree) {
    this.tree = tree;
    this.used = new Timeline[tree.at(tree.size(), 0)];
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
    Timeline its = timeline(node, flavorResource);
    if (tree.hasParent(node)) {
      addToParent(node, flavorResource, counted, from, to);
    }
    its.add(from, to, counted);
  }

  private void addToParent(int node, int flavorResource, long amount, long from, long to) {
    long local = tree.localQuota(node, flavorResource);
    int parent = tree.parent(node);
    if (local == 0) {
      add(parent, flavorResource, amount, from, to);
      return;
    }
    Timeline its = timeline(node, flavorResource);
    for (long at = from; at < to; ) {
      long next = Math.min(to, its.nextStep(at));
      long before = its.at(at);
      long more = Math.max(0, before + amount - local) - Math.max(0, before - local);
      add(parent, flavorResource, more, at, next);
      at = next;
    }
  }

  private Timeline timeline(int node, int flavorResource) {
    int at = tree.at(node, flavorResource);
    Timeline its = used[at];
    if (its == null) {
      its = new Timeline();
      used[at] = its;
    }
    return its;
  }

  /** Forgets what ends at or before a time. */
  public void forgetBefore(long time) {
    for (Timeline its : used) {
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
    long until = firstAbove(node, flavorResource, amount, from, Ticks.NEVER);
    if (tree.hasParent(node)) {
      long local = tree.localQuota(node, flavorResource);
      until =
          local == 0
              ? Math.min(until, fitsUntil(tree.parent(node), flavorResource, amount, from))
              : Math.min(until, fitsUntilInParent(node, flavorResource, amount, from, until));
    }
    return until;
  }

  private long fitsUntilInParent(int node, int flavorResource, long amount, long from, long until) {
    long local = tree.localQuota(node, flavorResource);
    Timeline its = used[tree.at(node, flavorResource)];
    for (long at = from; at < until; ) {
      long next = Math.min(until, its == null ? Ticks.NEVER : its.nextStep(at));
      long before = its == null ? 0 : its.at(at);
      long more = Math.max(0, before + amount - local) - Math.max(0, before - local);
      long end = more == 0 ? next : fitsUntil(tree.parent(node), flavorResource, more, at);
      if (end < next) {
        return end;
      }
      at = next;
    }
    return until;
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
        keepsBelowRoot(node, flavorResource)
            ? at -> nextStepOnWay(node, flavorResource, at)
            : at -> laterOnWay(node, flavorResource, amount, at, length);
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

  private boolean keepsBelowRoot(int node, int flavorResource) {
    int at = node;
    while (tree.hasParent(at)) {
      if (tree.localQuota(at, flavorResource) > 0) {
        return true;
      }
      at = tree.parent(at);
    }
    return false;
  }

  /** Returns the first step after a time at the node or an ancestor. */
  private long nextStepOnWay(int node, int flavorResource, long time) {
    Timeline its = used[tree.at(node, flavorResource)];
    long next = its == null ? Ticks.NEVER : its.nextStep(time);
    return tree.hasParent(node)
        ? Math.min(next, nextStepOnWay(tree.parent(node), flavorResource, time))
        : next;
  }

  /** Returns the latest of the first fits of each node on the way, none before a time. */
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
      if (!tree.hasParent(at) || tree.localQuota(at, flavorResource) > 0) {
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
