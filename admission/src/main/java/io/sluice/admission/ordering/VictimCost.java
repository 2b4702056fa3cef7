// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import java.time.Duration;

/**
 * What the preemption of a victim loses. Smaller costs come first: less work lost for the room that
 * helps, then fewer restarts.
 *
 * @param unsaved how long it has worked since its last checkpoint
 * @param share its room as a share of what the preemptor needs; more than 1 if it is larger
 * @param restarts number of earlier attempts of its index
 */
public record VictimCost(Duration unsaved, double share, int restarts)
    implements Comparable<VictimCost> {
  /** The cost of ending what has not begun to work. */
  public static final VictimCost NONE = new VictimCost(Duration.ZERO, 0, 0);

  public VictimCost {
    if (unsaved.isNegative() || !(share >= 0) || restarts < 0) {
      throw new IllegalArgumentException("negative cost");
    }
  }

  /**
   * Returns the lost work, in seconds on room of the size that the preemptor needs: the unsaved
   * time times the share.
   */
  public double lostWork() {
    return seconds() * share;
  }

  /**
   * Returns the lost work for each part of the room that helps. Room beyond what the preemptor
   * needs does not help, so a victim that is larger than needed costs more.
   */
  private double lostWorkPerRoom() {
    return seconds() * Math.max(1, share);
  }

  private double seconds() {
    return unsaved.toMillis() / 1e3;
  }

  @Override
  public int compareTo(VictimCost other) {
    int order = Double.compare(lostWorkPerRoom(), other.lostWorkPerRoom());
    return order == 0 ? Integer.compare(restarts, other.restarts) : order;
  }
}
