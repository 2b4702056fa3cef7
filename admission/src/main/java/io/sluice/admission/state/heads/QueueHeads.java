// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.heads;

import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.pending.PendingIndex;
import io.sluice.admission.state.promise.HeldRoom;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Shapes;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Cache in parallel arrays of each queue's first job that is not parked, the amounts that it
 * requests, and the smallest amounts that any head of the queue requests. For most queues, a cycle
 * decides from these arrays alone whether the first job fits, or whether no head has a {@link
 * Prospect}. Queues are indexed by their nodes in the quota tree.
 */
public final class QueueHeads {
  /** What the arrays tell about a queue. */
  public enum Answer {
    /** The first job fits, and its usage is known. */
    FIRST_FITS,
    /** No head has a prospect. */
    NOBODY,
    /** The queue itself must be searched. */
    SEARCH
  }

  private static final int[] NOTHING = {};
  private static final byte UNKNOWN = 0;
  private static final byte EMPTY = 1;
  private static final byte UNLIKE = 2;
  private static final byte TO_NOMINATE = 3;
  private static final byte COUNTED = 4;

  private final Shapes shapes;
  private final List<QueueState> queues = new ArrayList<>();
  private @Nullable QuotaLedger ledger;
  private final LinkedHashMap<List<List<Integer>>, int[][]> offers = new LinkedHashMap<>();

  /** The number of resources requested anywhere, which is the row length per queue. */
  private int width;

  /** The state of each row; UNKNOWN rows are computed on demand. */
  private byte[] standings = {};

  private boolean[] strict = {};
  private boolean[] evicts = {};
  private @Nullable JobEntry[] firsts = {};
  private @Nullable Usage[] uses = {};
  private long[] orders = {};
  private int[] nanos = {};
  private int[] priorities = {};
  private long[] asked = {};
  private long[] least = {};

  /** The numbers of (flavor, resource) that serve each resource, by queue. */
  private int[] @Nullable [][] offered = {};

  public QueueHeads(Shapes shapes) {
    this.shapes = shapes;
  }

  /**
   * Rebuilds the arrays after quota objects have changed.
   *
   * @param byNode the queues, by their nodes in the tree of the ledger
   */
  public void rebuild(List<QueueState> byNode, QuotaLedger present) {
    ledger = present;
    queues.clear();
    queues.addAll(byNode);
    offers.clear();
    int size = queues.size();
    width = shapes.resources().size();
    standings = new byte[size];
    strict = new boolean[size];
    evicts = new boolean[size];
    firsts = new @Nullable JobEntry[size];
    uses = new @Nullable Usage[size];
    orders = new long[size];
    nanos = new int[size];
    priorities = new int[size];
    asked = new long[size * width];
    least = new long[size * width];
    offered = new int[size] @Nullable [][];
  }

  /** Discards a row, because the first job or its known usage may have changed. */
  public void forget(int node) {
    standings[node] = UNKNOWN;
  }

  /** Returns the first job of a queue that is not parked; null if none may be tried. */
  public @Nullable JobEntry first(QueueState queue) {
    // With these orders, the first job can change without a change of the pending jobs.
    if (queue.strict() || queue.servesByUsage()) {
      return queue.head(Prospect.EVERYTHING);
    }
    know(queue.node());
    return firsts[queue.node()];
  }

  /**
   * Evaluates a queue by its row.
   *
   * @param held what is held for planned starts without a time; null if nothing is
   * @param evictsFrom the lowest priority from which a head may preempt or take back fillers,
   *     whatever its queue's policy
   */
  public Answer look(int node, FreeQuota free, @Nullable HeldRoom held, int evictsFrom) {
    know(node);
    byte standing = standings[node];
    // With StrictFIFO, a job that waits for its victims may precede the first.
    if (standing == UNLIKE || (strict[node] && evictsFrom == Integer.MIN_VALUE)) {
      return Answer.SEARCH;
    }
    if (standing == EMPTY) {
      return Answer.NOBODY;
    }
    Answer answer = held == null ? byFree(node, free) : beside(node, free, held);
    if (answer == Answer.FIRST_FITS) {
      return standing == COUNTED ? answer : Answer.SEARCH;
    }
    boolean mayEvict = evicts[node] || priorities[node] >= evictsFrom;
    return mayEvict ? Answer.SEARCH : answer;
  }

  private Answer byFree(int node, FreeQuota free) {
    boolean firstFits = true;
    boolean anyMay = !strict[node];
    for (int resource = 0; resource < width; resource++) {
      int at = node * width + resource;
      if (asked[at] > 0) {
        long now = free(node, resource, free);
        firstFits &= asked[at] <= now;
        anyMay &= least[at] <= now;
      }
    }
    return firstFits ? Answer.FIRST_FITS : anyMay ? Answer.SEARCH : Answer.NOBODY;
  }

  private Answer beside(int node, FreeQuota free, HeldRoom held) {
    Answer first = firstBeside(node, free, held);
    return first == Answer.NOBODY && othersMay(node, free, held) ? Answer.SEARCH : first;
  }

  /**
   * Evaluates the first job beside what is held. It fits if all that it requests is within the
   * nominal quota, or all of it beside all that is held; with some of it this and some of it that,
   * it must be searched.
   */
  private Answer firstBeside(int node, FreeQuota free, HeldRoom held) {
    JobEntry holder = held.holder(node);
    boolean bound = holder != null && HeldRoom.holdsBefore(holder, job(node));
    boolean may = true;
    boolean within = true;
    boolean beside = true;
    for (int resource = 0; may && resource < width; resource++) {
      long amount = asked[node * width + resource];
      if (amount > 0) {
        long nominal = 0;
        long borrowed = 0;
        for (int number : offered(node, resource)) {
          nominal = Math.max(nominal, held.withinNominal(node, number, free, bound));
          borrowed = Math.max(borrowed, held.besideAll(node, number, bound));
        }
        within &= amount <= nominal;
        beside &= amount <= borrowed;
        may = amount <= Math.max(nominal, borrowed);
      }
    }
    if (!may) {
      return Answer.NOBODY;
    }
    // Of several jobs that hold room in the queue, any may bind the first.
    boolean known = holder != null || !held.holdsIn(node);
    return known && (within || beside) ? Answer.FIRST_FITS : Answer.SEARCH;
  }

  private boolean othersMay(int node, FreeQuota free, HeldRoom held) {
    JobEntry holder = held.holder(node);
    JobEntry first = job(node);
    boolean bound = holder != null && (holder.equals(first) || HeldRoom.holdsBefore(holder, first));
    boolean may = !strict[node];
    for (int resource = 0; may && resource < width; resource++) {
      int at = node * width + resource;
      if (asked[at] > 0) {
        long most = 0;
        for (int number : offered(node, resource)) {
          most = Math.max(most, held.most(node, number, free, bound));
        }
        may = least[at] <= most;
      }
    }
    return may;
  }

  int[] offered(int node, int resource) {
    int[][] its = offered[node];
    return its == null ? NOTHING : its[resource];
  }

  /** Returns the largest free amount of a resource among the queue's flavors. */
  private long free(int node, int resource, FreeQuota free) {
    long most = 0;
    for (int number : offered(node, resource)) {
      most = Math.max(most, free.available(node, number));
    }
    return most;
  }

  /** Returns the first job of a queue that is known to fit. */
  public JobEntry job(int node) {
    JobEntry job = firsts[node];
    if (job == null) {
      throw new IllegalStateException("no first job in queue " + queues.get(node).name());
    }
    return job;
  }

  /** Returns the sort key of a queue's first job, see {@link JobEntry#order}. */
  public long order(int node) {
    return orders[node];
  }

  /** Returns the second sort key of a queue's first job, see {@link JobEntry#nanos}. */
  public int nanos(int node) {
    return nanos[node];
  }

  /**
   * Returns whether there is still room for the first job, which was known to fit.
   *
   * @param held what is held for planned starts without a time; null if nothing is
   */
  public boolean firstFits(int node, FreeQuota free, @Nullable HeldRoom held) {
    if (held != null) {
      return firstBeside(node, free, held) != Answer.NOBODY;
    }
    for (int resource = 0; resource < width; resource++) {
      long amount = asked[node * width + resource];
      if (amount > 0 && amount > free(node, resource, free)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes the usage of a first job that was known to fit into arrays.
   *
   * @param numbers receives the numbers of (flavor, resource)
   * @param amounts receives the amount of each
   * @return the number of entries written
   */
  public int firstTakes(int node, int[] numbers, long[] amounts) {
    int[][] its = offered[node];
    int size = 0;
    for (int resource = 0; its != null && resource < width; resource++) {
      long amount = asked[node * width + resource];
      if (amount > 0) {
        numbers[size] = its[resource][0];
        amounts[size] = amount;
        size++;
      }
    }
    return size;
  }

  /** Returns the known usage of a queue's first job. */
  public Usage use(int node) {
    Usage use = uses[node];
    if (use == null) {
      throw new IllegalStateException(
          "unknown usage of the first job in queue " + queues.get(node).name());
    }
    return use;
  }

  /** Returns the borrowing level of a queue's first job. */
  public int borrowingLevel(int node, QuotaUsage usage) {
    int[][] its = offered[node];
    int level = 0;
    for (int resource = 0; its != null && resource < width; resource++) {
      long amount = asked[node * width + resource];
      if (amount > 0) {
        level = Math.max(level, usage.borrowingLevel(node, its[resource][0], amount));
      }
    }
    return level;
  }

  private void know(int node) {
    width();
    if (standings[node] == UNKNOWN) {
      standings[node] = find(node, queues.get(node));
    }
  }

  /** Returns the number of resources that are requested anywhere. A new one empties the rows. */
  int width() {
    if (width != shapes.resources().size()) {
      rebuild(List.copyOf(queues), ledger());
    }
    return width;
  }

  private QuotaLedger ledger() {
    if (ledger == null) {
      throw new IllegalStateException("no quota was counted yet");
    }
    return ledger;
  }

  QueueState queue(int node) {
    return queues.get(node);
  }

  /** Returns whether no job of a queue may be tried. */
  boolean isEmpty(int node) {
    know(node);
    return standings[node] == EMPTY;
  }

  /** Returns whether the rows tell nothing about a queue. */
  boolean isUnlike(int node) {
    know(node);
    return standings[node] == UNLIKE;
  }

  /** Copies the least requests of the jobs that may be tried next, by number of resource. */
  void copyLeast(int node, long[] amounts) {
    // With StrictFIFO, no job is tried but the first.
    System.arraycopy(strict[node] ? asked : least, node * width, amounts, 0, width);
  }

  private byte find(int node, QueueState queue) {
    firsts[node] = null;
    uses[node] = null;
    if (!(queue.pending() instanceof PendingIndex pending)) {
      return UNLIKE;
    }
    int[][] its = offered[node];
    if (its == null) {
      // These values are valid until quota objects change.
      strict[node] = queue.strict();
      evicts[node] = queue.spec().policies().preemption().evicts();
      its = offeredBy(queue);
      offered[node] = its;
    }
    JobEntry first = pending.head(queue.spec().policies().queueingStrategy(), Prospect.EVERYTHING);
    if (first == null) {
      return EMPTY;
    }
    firsts[node] = first;
    orders[node] = first.order();
    nanos[node] = first.nanos();
    priorities[node] = first.priority();
    int from = node * width;
    Arrays.fill(asked, from, from + width, 0);
    pending.copyDemand(first, asked, from);
    Arrays.fill(least, from, from + width, Long.MAX_VALUE);
    pending.lowerToHeads(least, from, width);
    Usage use = pending.knownUse(first, ledger());
    if (use == null || !isAllAsked(node, its, use)) {
      return TO_NOMINATE;
    }
    uses[node] = use;
    return COUNTED;
  }

  /**
   * Returns whether the usage equals the requests, with one flavor each, so that requests decide.
   */
  private boolean isAllAsked(int node, int[][] its, Usage use) {
    int resources = 0;
    for (int resource = 0; resource < width; resource++) {
      long amount = asked[node * width + resource];
      if (amount > 0) {
        resources++;
        if (its[resource].length != 1 || use.amountOf(its[resource][0]) != amount) {
          return false;
        }
      }
    }
    return resources == use.size();
  }

  private int[][] offeredBy(QueueState queue) {
    QuotaTree tree = ledger().tree();
    TreeMap<Integer, List<Integer>> numbers = new TreeMap<>();
    for (Map.Entry<ResourceName, Integer> resource : shapes.resources().entrySet()) {
      List<Integer> its = new ArrayList<>();
      ResourceGroup group = queue.groupOf(resource.getKey());
      if (group != null) {
        for (FlavorQuotas flavor : group.flavors()) {
          its.add(tree.flavorResources().find(flavor.flavor(), resource.getKey()));
        }
      }
      numbers.put(resource.getValue(), its);
    }
    // Most queues offer the same; one shared copy stays in the CPU cache.
    return offers.computeIfAbsent(
        List.copyOf(numbers.values()),
        absent ->
            absent.stream()
                .map(its -> its.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new));
  }
}
