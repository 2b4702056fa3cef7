// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.List;

/**
 * The topologies of three-dimensional TPU generations: small ones are listed, larger ones consist
 * of 4x4x4 cubes.
 */
final class TopologyRules {
  private static final int CUBE_SIDE = 4;
  private static final int DIMENSIONS_OF_CUBES = 3;

  private TopologyRules() {}

  /** Of how many cubes of 4x4x4 chips a topology is made; 0 if it is not made of whole ones. */
  public static long cubes(SliceTopology topology) {
    if (topology.sides().size() != DIMENSIONS_OF_CUBES) {
      return 0;
    }
    long cubes = 1;
    for (int side : topology.sides()) {
      if (side % CUBE_SIDE != 0) {
        return 0;
      }
      cubes *= side / CUBE_SIDE;
    }
    return cubes;
  }

  /**
   * Whether no side is shorter than the one before it, as those of all slices of v5p, 7 and 7x that
   * are made of cubes. The lists of v4 need not keep to it, and 2x2x1 does not.
   */
  public static boolean sidesAscend(SliceTopology topology) {
    List<Integer> sides = topology.sides();
    for (int at = 1; at < sides.size(); at++) {
      if (sides.get(at) < sides.get(at - 1)) {
        return false;
      }
    }
    return true;
  }
}
