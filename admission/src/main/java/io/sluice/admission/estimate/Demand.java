// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

/** Amounts that an attempt uses of {@link RoomCells}. */
final class Demand {
  private final int[] cells;
  private final long[] amounts;

  /**
   * Creates a demand; the arrays must not be modified afterwards.
   *
   * @param cells numbers of the cells
   * @param amounts amounts, by position in {@code cells}
   */
  Demand(int[] cells, long[] amounts) {
    this.cells = cells;
    this.amounts = amounts;
  }

  int size() {
    return cells.length;
  }

  int cell(int at) {
    return cells[at];
  }

  long amount(int at) {
    return amounts[at];
  }
}
