// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.pending.PendingIndex;
import io.sluice.admission.state.usage.Prospect;
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
 * Of each queue its first job that is not parked, what that asks for, and the least that any of its
 * heads asks for, side by side in arrays: a cycle learns from them of most queues whether their
 * first fits, or nobody of theirs has a {@link Prospect}, without a look at the queues themselves.
 * Of the others it has to look. Queues are known by their nodes in the quota tree.
 */
public final class QueueHeads {
  /** What a cycle knows of a queue. */
  public enum Answer {
    /** Its first job fits, and what it takes is known. */
    FIRST_FITS,
    /** Nobody of it has a prospect. */
    NOBODY,
    /** Whatever comes of it has to be found out. */
    SEARCH
  }

  private static final byte UNKNOWN = 0;
  private static final byte EMPTY = 1;
  private static final byte UNLIKE = 2;
  private static final byte TO_NOMINATE = 3;
  private static final byte COUNTED = 4;

  private final AdmissionState state;
  private final Shapes shapes;
  private final List<QueueState> queues = new ArrayList<>();
  private final LinkedHashMap<List<List<Integer>>, int[][]> offers = new LinkedHashMap<>();

  /** How many resources are asked for anywhere: as many amounts each queue has in a row. */
  private int width;

  /** How much is known of each queue; it is found when it is asked for. */
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

  /** By queue and resource, the numbers of (flavor, resource) by which it is served. */
  private int[] @Nullable [][] offered = {};

  QueueHeads(AdmissionState state, Shapes shapes) {
    this.state = state;
    this.shapes = shapes;
  }

  /** Quota objects have changed, or resources are asked for that nobody asked for before. */
  void rebuild(List<QueueState> byNode) {
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

  /** The first job of a queue may be another, or what it takes has become known. */
  void forget(int node) {
    standings[node] = UNKNOWN;
  }

  /** The first job of a queue that is not parked; null if there is none that may be tried. */
  public @Nullable JobEntry first(QueueState queue) {
    // Whose order depends on more than who is there is asked each time.
    if (queue.strict() || queue.servesByUsage()) {
      return queue.head(Prospect.EVERYTHING);
    }
    know(queue.node());
    return firsts[queue.node()];
  }

  /**
   * What is known of a queue.
   *
   * @param evictsFrom the lowest priority from which somebody may have others evicted, or fillers
   *     taken back, though the policy of its queue does not say so
   */
  public Answer look(int node, FreeQuota free, int evictsFrom) {
    know(node);
    byte standing = standings[node];
    // With StrictFIFO somebody may stand before the first who waits for his victims.
    if (standing == UNLIKE || (strict[node] && evictsFrom == Integer.MIN_VALUE)) {
      return Answer.SEARCH;
    }
    if (standing == EMPTY) {
      return Answer.NOBODY;
    }
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
    if (firstFits) {
      return standing == COUNTED ? Answer.FIRST_FITS : Answer.SEARCH;
    }
    boolean mayEvict = evicts[node] || priorities[node] >= evictsFrom;
    return anyMay || mayEvict ? Answer.SEARCH : Answer.NOBODY;
  }

  /** The most of a resource that one of the queue's flavors has free. */
  private long free(int node, int resource, FreeQuota free) {
    int[][] its = offered[node];
    long most = 0;
    if (its != null) {
      for (int number : its[resource]) {
        most = Math.max(most, free.available(node, number));
      }
    }
    return most;
  }

  /** The first job of a queue of which it is known that it fits. */
  public JobEntry job(int node) {
    JobEntry job = firsts[node];
    if (job == null) {
      throw new IllegalStateException("nobody is first in " + queues.get(node).name());
    }
    return job;
  }

  /** Its place among the first jobs of all queues, see {@link JobEntry#order}. */
  public long order(int node) {
    return orders[node];
  }

  /** The same among those whose order is the same, see {@link JobEntry#nanos}. */
  public int nanos(int node) {
    return nanos[node];
  }

  /** Whether there is room for the first job of a queue that was known to fit. */
  public boolean firstFits(int node, FreeQuota free) {
    for (int resource = 0; resource < width; resource++) {
      long amount = asked[node * width + resource];
      if (amount > 0 && amount > free(node, resource, free)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Tells what the first job of a queue takes that was known to fit.
   *
   * @param numbers are set to those of (flavor, resource)
   * @param amounts are set to how much of each
   * @return of how many
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

  /** What it takes. */
  public Usage use(int node) {
    Usage use = uses[node];
    if (use == null) {
      throw new IllegalStateException(
          "it is not known what is taken of " + queues.get(node).name());
    }
    return use;
  }

  /** How far up quota must be sought for it. */
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
    if (width != shapes.resources().size()) {
      rebuild(List.copyOf(queues));
    }
    if (standings[node] == UNKNOWN) {
      standings[node] = find(node, queues.get(node));
    }
  }

  private byte find(int node, QueueState queue) {
    firsts[node] = null;
    uses[node] = null;
    if (!(queue.pending() instanceof PendingIndex pending)) {
      return UNLIKE;
    }
    int[][] its = offered[node];
    if (its == null) {
      // It holds until quota objects change, as what the queue offers does.
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
    Usage use = pending.knownUse(first, state.ledger());
    if (use == null || !isAllAsked(node, its, use)) {
      return TO_NOMINATE;
    }
    uses[node] = use;
    return COUNTED;
  }

  /** Whether somebody takes just what is known to be asked for, so that he fits if that does. */
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
    QuotaTree tree = state.ledger().tree();
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
    // Most queues offer the same; one copy stays in the cache.
    return offers.computeIfAbsent(
        List.copyOf(numbers.values()),
        absent ->
            absent.stream()
                .map(its -> its.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new));
  }
}
