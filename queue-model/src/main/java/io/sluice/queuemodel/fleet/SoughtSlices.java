// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import org.jspecify.annotations.Nullable;

/** The labels of cluster slices that must be sought, with the mechanism. */
public final class SoughtSlices {
  /** The name of the flavor that says by what they are called for. */
  public static final String SOUGHT_BY = "sluice.io/sought-by";

  /** Carried by slices that may come, and whose hosts are not there. */
  public static final String POTENTIAL = "sluice.io/potential";

  private SoughtSlices() {}

  /** Whether a slice has to be sought, whatever its capacity type. */
  public static boolean isSought(Slice slice) {
    return flavor(slice) != null;
  }

  /** The flavor by which a slice is sought; null if it is not sought so. */
  public static @Nullable String flavor(Slice slice) {
    return slice.labels().get(SOUGHT_BY);
  }

  /** Whether there is only the prospect of a slice. */
  public static boolean isPotential(Slice slice) {
    return slice.labels().get(POTENTIAL) != null;
  }
}
