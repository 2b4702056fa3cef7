// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.heads.QueueHeads;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The heads of a cycle, at most one per queue, numbered from 0. The sort keys are in parallel
 * arrays, because a cycle may have ten thousand heads and serve a hundred.
 */
public final class Entrants {
  private static final int SIZE_FIRST = 16;

  /** Greater than any height of a cohort tree. */
  private static final int BEHIND_ALL_LEVELS = 1 << 20;

  private final EntryOrder rules;
  private final QuotaLedger ledger;
  private final QueueHeads firsts;
  private int[] nodes = new int[SIZE_FIRST];
  private int[] levels = new int[SIZE_FIRST];
  private long[] orders = new long[SIZE_FIRST];
  private int[] nanos = new int[SIZE_FIRST];

  /** Entries by number; null for a first job of a queue about which nothing more is known. */
  private @Nullable CycleEntry[] found = new @Nullable CycleEntry[SIZE_FIRST];

  private int size;
  private boolean roomOnlyShrinks = true;

  public Entrants(AdmissionState state) {
    this.rules = state.policy().order();
    this.ledger = state.ledger();
    this.firsts = state.tries().heads();
  }

  /** Adds a head that was nominated or is known to fit. */
  public void add(CycleEntry entry) {
    int level = entry.borrowingLevel();
    boolean behind = rules.preemptorsFirst() && !entry.preemptor();
    roomOnlyShrinks &= entry.fits() && entry.fillers() == null;
    add(entry.job().queue().node(), behind ? level + BEHIND_ALL_LEVELS : level);
    orders[size - 1] = entry.job().order();
    nanos[size - 1] = entry.job().nanos();
    found[size - 1] = entry;
  }

  /** Adds the first job of a queue, which is known to fit. */
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

  /** Returns whether no entrant preempts or takes back fillers, so that room only shrinks. */
  boolean roomOnlyShrinks() {
    return roomOnlyShrinks;
  }

  /** Returns the node of the head's queue. */
  int node(int number) {
    return nodes[number];
  }

  /** Returns the borrowing level by which a head is served. */
  int level(int number) {
    return levels[number];
  }

  /** Returns the place of a head in the order of its level, see {@link JobEntry#order}. */
  long order(int number) {
    return orders[number];
  }

  /**
   * Returns whether a head is admitted by quota alone, and leaves nothing that another head could
   * take back.
   */
  boolean isPlain(int number) {
    CycleEntry entry = found[number];
    JobEntry job = job(number);
    boolean byQuotaAlone =
        entry == null
            || (entry.fits()
                && entry.fillers() == null
                && job.queue().pending().knownUse(job, ledger) != null);
    return byQuotaAlone && !job.workload().priority().preemptible();
  }

  JobEntry job(int number) {
    CycleEntry entry = found[number];
    return entry == null ? firsts.job(nodes[number]) : entry.job();
  }

  /** Returns the amounts that a head uses. Requires that something fits. */
  Usage taken(int number) {
    CycleEntry entry = found[number];
    return entry == null ? firsts.use(nodes[number]) : entry.taken();
  }

  /**
   * Writes the amounts that a head uses into arrays. Requires that something fits.
   *
   * @param numbers receives the numbers of (flavor, resource)
   * @param amounts receives the amount of each
   * @return the number of entries written
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

  /** Returns whether there is still room for a head. */
  boolean fits(int number, OpenRoom room) {
    CycleEntry entry = found[number];
    return entry == null
        ? firsts.firstFits(nodes[number], room.free(), room.held())
        : ledger.fits(entry.taken());
  }

  /** Returns the entry of a head. */
  CycleEntry entry(int number) {
    CycleEntry entry = found[number];
    if (entry != null) {
      return entry;
    }
    int level = rules.preemptorsFirst() ? levels[number] - BEHIND_ALL_LEVELS : levels[number];
    return CycleEntry.foreseen(job(number), taken(number), level);
  }

  /** Compares heads by serving order without fair sharing: see {@link EntryOrder}. */
  int compare(int one, int other) {
    return levels[one] == levels[other]
        ? compareEquals(one, other)
        : Integer.compare(levels[one], levels[other]);
  }

  /** Compares heads with equal borrowing level or share by their workloads alone. */
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
