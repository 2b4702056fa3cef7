// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import java.util.List;

/**
 * The requirements of a pool's pods that hosts of some matching slices do not meet.
 *
 * @param slices number of slices of the flavor, type and topology that the fleet can make, on any
 *     hosts
 * @param unmet unmet requirements in order, at most {@link #UNMET_MAX}; empty if each host meets
 *     all
 */
public record Refusals(int slices, List<String> unmet) {
  /** No slice was inspected. */
  public static final Refusals NONE = new Refusals(0, List.of());

  /** Maximum number of unmet requirements that are named. */
  public static final int UNMET_MAX = 5;

  public Refusals {
    unmet = List.copyOf(unmet);
  }
}
