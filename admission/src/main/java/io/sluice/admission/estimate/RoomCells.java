// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import java.util.Arrays;

/**
 * Amounts in use, with their limits: of a (flavor, resource) at a node of the quota tree, or of the
 * slices of a pool. Usage beyond a cell's local amount also counts in its parent, as in {@link
 * io.sluice.admission.quota.QuotaUsage}.
 */
final class RoomCells {
  private static final int NO_PARENT = -1;
  private static final int FIRST_LENGTH = 16;

  private int size;
  private int[] parents = new int[FIRST_LENGTH];
  private long[] limits = new long[FIRST_LENGTH];
  private long[] locals = new long[FIRST_LENGTH];
  private long[] used = new long[FIRST_LENGTH];

  /**
   * Adds a cell without usage.
   *
   * @param parent its parent; -1 for none
   * @param limit largest usage
   * @param local usage that does not count in the parent
   * @return its number
   */
  int add(int parent, long limit, long local) {
    if (size == parents.length) {
      parents = Arrays.copyOf(parents, 2 * size);
      limits = Arrays.copyOf(limits, 2 * size);
      locals = Arrays.copyOf(locals, 2 * size);
      used = Arrays.copyOf(used, 2 * size);
    }
    parents[size] = parent;
    limits[size] = limit;
    locals[size] = local;
    size++;
    return size - 1;
  }

  /** Returns a copy whose usage changes by itself. */
  RoomCells copy() {
    RoomCells copy = new RoomCells();
    copy.size = size;
    copy.parents = parents;
    copy.limits = limits;
    copy.locals = locals;
    copy.used = used.clone();
    return copy;
  }

  /** Adds usage; a negative amount removes it. */
  void use(Demand demand, int sign) {
    for (int at = 0; at < demand.size(); at++) {
      use(demand.cell(at), sign * demand.amount(at));
    }
  }

  private void use(int first, long change) {
    long more = change;
    for (int cell = first; cell != NO_PARENT && more != 0; cell = parents[cell]) {
      long before = used[cell];
      used[cell] += more;
      more = Math.max(0, used[cell] - locals[cell]) - Math.max(0, before - locals[cell]);
    }
  }

  /** Returns whether usage fits in each cell and its ancestors. */
  boolean fits(Demand demand) {
    for (int at = 0; at < demand.size(); at++) {
      if (!fits(demand.cell(at), demand.amount(at))) {
        return false;
      }
    }
    return true;
  }

  private boolean fits(int first, long amount) {
    long more = amount;
    for (int cell = first; cell != NO_PARENT && more > 0; cell = parents[cell]) {
      long after = used[cell] + more;
      if (after > limits[cell]) {
        return false;
      }
      more = Math.max(0, after - locals[cell]) - Math.max(0, used[cell] - locals[cell]);
    }
    return true;
  }

  /** Returns whether two demands use a cell, or an ancestor of one, in common. */
  boolean meet(Demand one, Demand other) {
    for (int at = 0; at < one.size(); at++) {
      for (int of = 0; of < other.size(); of++) {
        if (root(one.cell(at)) == root(other.cell(of))) {
          return true;
        }
      }
    }
    return false;
  }

  private int root(int cell) {
    int at = cell;
    while (parents[at] != NO_PARENT) {
      at = parents[at];
    }
    return at;
  }
}
