// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.QueueHeads;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The heads that take part in a cycle, by numbers from 0, with all that their order looks at side
 * by side: there may be ten thousand, of whom a hundred are served. At most one is of each queue.
 */
public final class Entrants {
  private static final int SIZE_FIRST = 16;

  /** More than any height of a tree of cohorts. */
  private static final int BEHIND_ALL_LEVELS = 1 << 20;

  private final EntryOrder rules;
  private final QueueHeads firsts;
  private int[] nodes = new int[SIZE_FIRST];
  private int[] levels = new int[SIZE_FIRST];
  private long[] orders = new long[SIZE_FIRST];
  private int[] nanos = new int[SIZE_FIRST];

  /** What was found, or is foreseen; null where no more is known than of a first job. */
  private @Nullable CycleEntry[] found = new @Nullable CycleEntry[SIZE_FIRST];

  private int size;
  private boolean roomOnlyShrinks = true;

  public Entrants(AdmissionState state) {
    this.rules = state.policy().order();
    this.firsts = state.tries().heads();
  }

  /** Lets a head take part for which something was looked for, or that is foreseen. */
  public void add(CycleEntry entry) {
    int level = entry.borrowingLevel();
    boolean behind = rules.preemptorsFirst() && !entry.preemptor();
    roomOnlyShrinks &= entry.fits() && entry.fillers() == null;
    add(entry.job().queue().node(), behind ? level + BEHIND_ALL_LEVELS : level);
    orders[size - 1] = entry.job().order();
    nanos[size - 1] = entry.job().nanos();
    found[size - 1] = entry;
  }

  /** Lets the first job of a queue take part that is known to fit. */
  void addFirst(int node, int borrowingLevel) {
    int level = rules.preemptorsFirst() ? borrowingLevel + BEHIND_ALL_LEVELS : borrowingLevel;
    add(node, level);
    orders[size - 1] = firsts.order(node);
    nanos[size - 1] = firsts.nanos(node);
  }

  private void add(int node, int level) {
    if (size == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * size);
      levels = Arrays.copyOf(levels, 2 * size);
      orders = Arrays.copyOf(orders, 2 * size);
      nanos = Arrays.copyOf(nanos, 2 * size);
      found = Arrays.copyOf(found, 2 * size);
    }
    nodes[size] = node;
    levels[size] = level;
    size++;
  }

  int size() {
    return size;
  }

  /** Whether nobody makes others go, or has something taken back: then room only shrinks. */
  boolean roomOnlyShrinks() {
    return roomOnlyShrinks;
  }

  /** The node of its queue. */
  int node(int number) {
    return nodes[number];
  }

  JobEntry job(int number) {
    CycleEntry entry = found[number];
    return entry == null ? firsts.job(nodes[number]) : entry.job();
  }

  /** What it takes; only if there is anything. */
  Usage taken(int number) {
    CycleEntry entry = found[number];
    return entry == null ? firsts.use(nodes[number]) : entry.taken();
  }

  /**
   * Tells what it takes; only if there is anything.
   *
   * @param numbers are set to those of (flavor, resource)
   * @param amounts are set to how much of each
   * @return of how many
   */
  int takes(int number, int[] numbers, long[] amounts) {
    CycleEntry entry = found[number];
    if (entry == null) {
      return firsts.firstTakes(nodes[number], numbers, amounts);
    }
    Usage usage = entry.taken();
    for (int at = 0; at < usage.size(); at++) {
      numbers[at] = usage.flavorResource(at);
      amounts[at] = usage.amount(at);
    }
    return usage.size();
  }

  /** Whether there is still room for it. */
  boolean fits(int number, QuotaLedger ledger, FreeQuota free) {
    CycleEntry entry = found[number];
    return entry == null ? firsts.firstFits(nodes[number], free) : ledger.fits(entry.taken());
  }

  /** The head with what is known of it. */
  CycleEntry entry(int number) {
    CycleEntry entry = found[number];
    if (entry != null) {
      return entry;
    }
    int level = rules.preemptorsFirst() ? levels[number] - BEHIND_ALL_LEVELS : levels[number];
    return CycleEntry.foreseen(job(number), taken(number), level);
  }

  /** Who is served before whom where shares do not decide: see {@link EntryOrder}. */
  int compare(int one, int other) {
    return levels[one] == levels[other]
        ? compareEquals(one, other)
        : Integer.compare(levels[one], levels[other]);
  }

  /** Who is served first of those that are equal in all but their workloads. */
  int compareEquals(int one, int other) {
    if (!rules.byPriority()) {
      return rules.amongEquals().compare(job(one).workload(), job(other).workload());
    }
    if (orders[one] != orders[other]) {
      return orders[one] < orders[other] ? -1 : 1;
    }
    return nanos[one] == nanos[other]
        ? job(one).compareTo(job(other))
        : Integer.compare(nanos[one], nanos[other]);
  }
}
