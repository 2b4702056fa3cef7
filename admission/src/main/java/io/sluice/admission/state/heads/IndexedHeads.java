// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.heads;

import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.pending.PendingIndex;
import io.sluice.admission.state.promise.HeldRoom;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Shapes;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a {@link HeadIndex} of the queues with a cohort. A queue whose jobs, usage or held quota
 * have changed is entered anew when the index is next asked for.
 */
public final class IndexedHeads implements QuotaUsage.Follower {
  private final QueueHeads heads;
  private final Shapes shapes;
  private final BitSet stale = new BitSet();
  private final BitSet closed = new BitSet();
  private final BitSet laddered = new BitSet();
  private @Nullable HeadIndex index;
  private int queues;

  // Amounts of the queue that is entered, by number of resource.
  private long[] least = {};
  private long[] covered = {};
  private long[] own = {};
  private long[] ofJobs = {};
  private long[] ofHolder = {};

  public IndexedHeads(QueueHeads heads, Shapes shapes) {
    this.heads = heads;
    this.shapes = shapes;
  }

  /** Begins anew with another ledger, after quota objects have changed. */
  public void rebuild(QuotaLedger ledger) {
    index = null;
    closed.clear();
    queues = ledger.tree().queues();
    ledger.promised().follow(this);
  }

  /** Notes that the first jobs of a queue, or what is held for its jobs, may have changed. */
  public void noteChange(int node) {
    stale.set(node);
  }

  /** Has a queue appear without heads, because none was admissible, until it is opened. */
  public void close(int node) {
    closed.set(node);
    stale.set(node);
  }

  /** Has the heads of a queue appear again. */
  public void open(int node) {
    closed.clear(node);
    stale.set(node);
  }

  /** Has the heads of all closed queues among some appear again. */
  public void openAll(BitSet among) {
    if (closed.intersects(among)) {
      BitSet opened = (BitSet) closed.clone();
      opened.and(among);
      stale.or(opened);
      closed.andNot(opened);
    }
  }

  @Override
  public void added(int queue, int flavorResource, long amount) {
    stale.set(queue);
  }

  @Override
  public void removed(int queue, int flavorResource, long amount) {
    stale.set(queue);
  }

  /**
   * Returns the index as things are now. Requires that no planned start has a time.
   *
   * @param held what is held for planned starts; null if nothing is
   */
  public HeadIndex index(QuotaLedger ledger, @Nullable HeldRoom held) {
    int width = heads.width();
    HeadIndex known = index;
    if (known == null || known.numbers().length != width) {
      known = new HeadIndex(ledger.tree(), numbers(ledger.tree().flavorResources(), width));
      index = known;
      least = new long[width];
      covered = new long[width];
      own = new long[width];
      ofJobs = new long[width];
      ofHolder = new long[width];
      laddered.clear();
      stale.clear();
      stale.set(0, queues);
    }
    for (int node = stale.nextSetBit(0); node >= 0; node = stale.nextSetBit(node + 1)) {
      if (ledger.tree().hasParent(node)) {
        enter(known, node, ledger, held);
      }
    }
    stale.clear();
    return known;
  }

  private int[][] numbers(FlavorResources pairs, int width) {
    int[][] numbers = new int[width][];
    shapes
        .resources()
        .forEach(
            (resource, at) ->
                numbers[at] =
                    IntStream.range(0, pairs.size())
                        .filter(number -> pairs.pair(number).resource().equals(resource))
                        .toArray());
    return numbers;
  }

  /** Returns the queues in the index with a job that walks a ladder. Must not be modified. */
  public BitSet laddered() {
    return laddered;
  }

  private void enter(HeadIndex into, int node, QuotaLedger ledger, @Nullable HeldRoom held) {
    boolean walks =
        heads.queue(node).pending() instanceof PendingIndex pending && pending.walksLadders();
    laddered.set(node, walks);
    if (closed.get(node) || heads.isEmpty(node)) {
      into.clear(node);
    } else if (heads.isUnlike(node)) {
      into.open(node);
    } else {
      for (int resource = 0; resource < own.length; resource++) {
        own[resource] = most(node, resource, number -> ledger.promised().ownLeft(node, number));
        ofJobs[resource] =
            held == null ? 0 : most(node, resource, number -> held.held(node, number));
      }
      JobEntry within = heads.queue(node).head(new Prospect(own, List.of()));
      heads.copyLeast(node, least);
      System.arraycopy(least, 0, covered, 0, least.length);
      if (held != null && within != null && bindsAllCovered(node, within, held)) {
        besideHolder(node, within, held);
      }
      into.set(
          node,
          new HeadIndex.Requests(least, covered, own, ofJobs),
          within == null ? HeadIndex.NOWHERE : within.order(),
          heads.order(node));
    }
  }

  /**
   * Returns whether room is held for the first job that the queue's own quota covers, and binds all
   * others of which it covers anything: jobs before it may use several resources, some of them
   * beyond that quota.
   */
  private boolean bindsAllCovered(int node, JobEntry within, HeldRoom held) {
    boolean first = own.length == 1 || within.equals(heads.job(node));
    return first && within.equals(held.holder(node));
  }

  /** Raises what must be free for jobs that the own quota covers, where what is held binds them. */
  private void besideHolder(int node, JobEntry holder, HeldRoom held) {
    Arrays.fill(ofHolder, 0);
    if (heads.queue(node).pending() instanceof PendingIndex pending) {
      pending.copyDemand(holder, ofHolder, 0);
    }
    for (int resource = 0; resource < covered.length; resource++) {
      long others = QuotaTree.saturatedSum(covered[resource], leastHeld(node, resource, held));
      covered[resource] = Math.min(ofHolder[resource], others);
    }
  }

  /** Returns the largest amount of any flavor of a queue; 0 if there is none. */
  private long most(int node, int resource, IntToLongFunction amount) {
    long most = 0;
    for (int number : heads.offered(node, resource)) {
      most = Math.max(most, amount.applyAsLong(number));
    }
    return most;
  }

  private long leastHeld(int node, int resource, HeldRoom held) {
    long least = Long.MAX_VALUE;
    for (int number : heads.offered(node, resource)) {
      least = Math.min(least, held.held(node, number));
    }
    return least;
  }
}
