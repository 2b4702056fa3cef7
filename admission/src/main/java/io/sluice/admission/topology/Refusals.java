// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import java.util.List;

/**
 * The slices that were looked at for a pool, and the requirements of its pods that hosts of some of
 * them do not meet.
 *
 * @param slices how many slices of the flavor, type and topology the fleet can make, on any hosts
 * @param unmet requirements in order, at most {@link #UNMET_MAX}; none if each host meets all
 */
public record Refusals(int slices, List<String> unmet) {
  /** No slice was looked at. */
  public static final Refusals NONE = new Refusals(0, List.of());

  /** How many requirements are named at most. */
  public static final int UNMET_MAX = 5;

  public Refusals {
    unmet = List.copyOf(unmet);
  }
}
