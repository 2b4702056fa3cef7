// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.promise;

import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The quota that is held for planned starts without a time, in a total of its own beside the
 * promised usage. The total follows each change of that usage, also a supposed one, so that a
 * question costs a look at a few amounts and no walk through all that is held.
 *
 * <p>For a job of a queue that is not planned, no more is held than is left of the nominal quota of
 * that queue.
 *
 * <p>What is held does not bind work within the nominal quota of another queue: either it is within
 * the nominal quota of its own queue, so that both have room, or it is borrowed and gives way.
 */
public final class HeldRoom implements QuotaUsage.Follower {
  private final QuotaTree tree;
  private final int width;
  private final QuotaUsage promised;

  /** The promised usage and all that is held. */
  private final QuotaUsage total;

  private final FreeQuota free;

  /** By node of the queue. */
  private final List<List<Promise>> promises;

  /** What is held in a queue, by the place of the pair in the tree. */
  private final long[] held;

  /** The number of planned starts that use a pair, by the place of the root and the pair. */
  private final int[] counts;

  /** Creates the total of a ledger, without planned starts. */
  public HeldRoom(QuotaLedger ledger) {
    this.tree = ledger.tree();
    this.width = tree.flavorResources().size();
    this.promised = ledger.promised();
    this.total = promised.copy();
    this.free = new FreeQuota(ledger.held(), total);
    this.promises = new ArrayList<>(Collections.nCopies(tree.queues(), List.of()));
    this.held = new long[at(tree.queues(), 0)];
    this.counts = new int[at(tree.size(), 0)];
    promised.follow(this);
  }

  private int at(int node, int flavorResource) {
    return node * width + flavorResource;
  }

  /** Ends: the promised usage is not followed any more. */
  public void end() {
    promised.leave(this);
  }

  /** Holds room for a planned start without a time. */
  public void add(Promise promise) {
    int queue = promise.usage().node();
    List<Promise> its = new ArrayList<>(promises.get(queue));
    its.add(promise);
    promises.set(queue, its);
    count(promise, 1);
  }

  /**
   * Holds no room any more for a planned start.
   *
   * @return whether it had some
   */
  public boolean remove(Promise promise) {
    int queue = promise.usage().node();
    List<Promise> its = new ArrayList<>(promises.get(queue));
    boolean had = its.remove(promise);
    if (had) {
      promises.set(queue, List.copyOf(its));
      count(promise, -1);
    }
    return had;
  }

  private void count(Promise promise, int more) {
    Usage usage = promise.usage();
    for (int at = 0; at < usage.size(); at++) {
      if (usage.amount(at) > 0) {
        counts[at(promise.root(), usage.flavorResource(at))] += more;
        holdAnew(usage.node(), usage.flavorResource(at));
      }
    }
  }

  @Override
  public void added(int queue, int flavorResource, long amount) {
    total.add(queue, flavorResource, amount);
    holdAnew(queue, flavorResource);
  }

  @Override
  public void removed(int queue, int flavorResource, long amount) {
    total.remove(queue, flavorResource, amount);
    holdAnew(queue, flavorResource);
  }

  /** Returns what would be held of one pair in a queue if it used more. */
  public long heldBeside(int queue, int flavorResource, long used) {
    long now = 0;
    for (Promise promise : promises.get(queue)) {
      long more = promise.usage().amountOf(flavorResource);
      if (promise.job().queue().holdsNominalQuota()) {
        more = Math.min(more, Math.max(0, promised.ownLeft(queue, flavorResource) - used - now));
      }
      now = QuotaTree.saturatedSum(now, more);
    }
    return now;
  }

  private void holdAnew(int queue, int flavorResource) {
    int at = at(queue, flavorResource);
    long now = heldBeside(queue, flavorResource, 0);
    if (now != held[at]) {
      total.remove(queue, flavorResource, held[at]);
      total.add(queue, flavorResource, now);
      held[at] = now;
    }
  }

  /** Returns what is held of one pair in a queue. */
  public long held(int queue, int flavorResource) {
    return held[at(queue, flavorResource)];
  }

  /** Returns what nobody in the tree of a root uses and is held for no job there. */
  public long leftIn(int root, int flavorResource) {
    return total.available(root, flavorResource);
  }

  /**
   * Returns whether room is held for one job rather than for another of its queue. That is the
   * order of the queue without rank delays: a hold has no end, so a stream of short jobs must not
   * pass it.
   */
  public static boolean holdsBefore(JobEntry one, JobEntry another) {
    return one.queue().pending().unranked().compare(one, another) < 0;
  }

  /** Returns whether room is held for any job of a queue. */
  public boolean holdsIn(int queue) {
    return !promises.get(queue).isEmpty();
  }

  /** Returns the only job of a queue for which room is held; null if there is none or several. */
  public @Nullable JobEntry holder(int queue) {
    List<Promise> its = promises.get(queue);
    return its.size() == 1 ? its.get(0).job() : null;
  }

  /** Has the available amounts counted again, after usage has changed. */
  public void renew() {
    free.renew();
  }

  /**
   * Returns the most of one pair that a job of a queue may use within its nominal quota.
   *
   * @param now the amounts that are available without what is held
   * @param bound whether what is held in its own queue binds it
   */
  public long withinNominal(int queue, int flavorResource, FreeQuota now, boolean bound) {
    long own = bound ? held[at(queue, flavorResource)] : 0;
    return Math.min(
        promised.ownLeft(queue, flavorResource), now.available(queue, flavorResource, own));
  }

  /**
   * Returns the most of one pair that a job of a queue may use beside all that is held for others.
   *
   * @param bound whether what is held in its own queue binds it
   */
  public long besideAll(int queue, int flavorResource, boolean bound) {
    long own = bound ? 0 : held[at(queue, flavorResource)];
    return free.available(queue, flavorResource, -own);
  }

  /**
   * Returns the most of one pair that a job of a queue may use. A job that uses several pairs needs
   * more: either all within the nominal quota, or what it exceeds beside all that is held.
   *
   * @param now the amounts that are available without what is held
   * @param bound whether what is held in its own queue binds it
   */
  public long most(int queue, int flavorResource, FreeQuota now, boolean bound) {
    return Math.max(
        withinNominal(queue, flavorResource, now, bound), besideAll(queue, flavorResource, bound));
  }

  /**
   * Returns whether usage fits beside what is held.
   *
   * @param left planned starts that do not bind it
   */
  public boolean permits(Usage usage, Collection<Promise> left) {
    List<Promise> out = leaveOut(left);
    try {
      boolean own = !promises.get(usage.node()).isEmpty();
      boolean borrows = borrows(usage);
      if (!own && !borrows) {
        return true;
      }
      if (usage.fitsQuota(total)) {
        return true;
      }
      return borrows ? fitsBorrowing(usage) : fitsBesideOwn(usage);
    } finally {
      out.forEach(this::add);
    }
  }

  private List<Promise> leaveOut(Collection<Promise> left) {
    List<Promise> out = new ArrayList<>();
    for (Promise promise : left) {
      if (remove(promise)) {
        out.add(promise);
      }
    }
    return out;
  }

  /** Returns whether usage exceeds the nominal quota in anything that is held in its tree. */
  private boolean borrows(Usage usage) {
    int root = tree.root(usage.node());
    for (int at = 0; at < usage.size(); at++) {
      if (counts[at(root, usage.flavorResource(at))] > 0 && borrows(usage, at)) {
        return true;
      }
    }
    return false;
  }

  private boolean borrows(Usage usage, int at) {
    return promised.borrowsWith(usage.node(), usage.flavorResource(at), usage.amount(at));
  }

  private boolean fitsBesideOwn(Usage usage) {
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      long own = held[at(usage.node(), number)];
      long now = promised.available(usage.node(), number);
      if (usage.amount(at) > 0 && (own > now || usage.amount(at) > now - own)) {
        return false;
      }
    }
    return true;
  }

  /** Leaves out what does not bind usage that borrows some pairs and not others. */
  private boolean fitsBorrowing(Usage usage) {
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      if (usage.amount(at) > 0
          && usage.amount(at) > total.available(usage.node(), number)
          && borrows(usage, at)) {
        // All that is held of this pair binds it.
        return false;
      }
    }
    int root = tree.root(usage.node());
    List<Promise> free = new ArrayList<>();
    for (int queue = 0; queue < promises.size(); queue++) {
      if (queue != usage.node() && tree.root(queue) == root) {
        promises.get(queue).stream().filter(promise -> !binds(promise, usage)).forEach(free::add);
      }
    }
    List<Promise> out = leaveOut(free);
    try {
      return usage.fitsQuota(total);
    } finally {
      out.forEach(this::add);
    }
  }

  private boolean binds(Promise promise, Usage usage) {
    for (int at = 0; at < usage.size(); at++) {
      if (promise.usage().amountOf(usage.flavorResource(at)) > 0 && borrows(usage, at)) {
        return true;
      }
    }
    return false;
  }
}
