// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The smaller and larger slices that can be formed from a slice of the fleet.
 *
 * @param block slices of one block can be joined to larger ones; null: this one cannot
 * @param parts topologies of the smaller slices that can be cut from it, from small to large, each
 *     of which divides the next; empty: it is not divisible
 */
public record Forming(@Nullable String block, List<SliceTopology> parts) {
  /** Nothing but the slice itself. */
  public static final Forming NONE = new Forming(null, List.of());

  public Forming {
    parts = List.copyOf(parts);
  }
}
