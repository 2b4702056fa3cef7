// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The aligned boxes of hosts in a slice, by level: level 0 has the smallest topology that can be
 * cut from the slice, the last level is the slice itself. Boxes of a level are numbered with x
 * fastest. A set of hosts is a bit mask in a long, bit w for the host of worker w; for an
 * indivisible slice, bit 0 stands for the whole slice. Two boxes are nested or disjoint.
 */
final class Boxes {
  private static final int HOST_SIDE = 2;

  private final List<SliceTopology> levels;
  private final long[][] hosts;
  private final long[] chips;
  private final long all;

  /** For each level above 0 and each box: its boxes of the level below. */
  private final int[][][] inner;

  private Boxes(List<SliceTopology> levels, long[][] hosts) {
    this.levels = levels;
    this.hosts = hosts;
    this.chips = levels.stream().mapToLong(SliceTopology::chips).toArray();
    this.all = hosts[levels.size() - 1][0];
    this.inner = new int[levels.size()][][];
    for (int level = 1; level < levels.size(); level++) {
      inner[level] = new int[hosts[level].length][];
      for (int box = 0; box < hosts[level].length; box++) {
        inner[level][box] = within(hosts[level][box], hosts[level - 1]);
      }
    }
  }

  private static int[] within(long outer, long[] boxes) {
    List<Integer> found = new ArrayList<>();
    for (int box = 0; box < boxes.length; box++) {
      if ((boxes[box] & ~outer) == 0) {
        found.add(box);
      }
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the boxes of a slice; only the slice itself if it is indivisible. */
  static Boxes of(Slice slice) {
    List<SliceTopology> levels = new ArrayList<>(slice.forming().parts());
    levels.add(slice.topology());
    if (levels.size() == 1) {
      return new Boxes(Collections.unmodifiableList(levels), new long[][] {{1L}});
    }
    long[][] hosts = new long[levels.size()][];
    for (int level = 0; level < hosts.length; level++) {
      hosts[level] = boxes(hostSides(slice.topology()), hostSides(levels.get(level)));
    }
    return new Boxes(Collections.unmodifiableList(levels), hosts);
  }

  /** Returns the sides of a topology in hosts of 2x2 chips; a missing third side is 1. */
  static int[] hostSides(SliceTopology topology) {
    List<Integer> sides = topology.sides();
    return new int[] {
      sides.get(0) / HOST_SIDE, sides.get(1) / HOST_SIDE, sides.size() > 2 ? sides.get(2) : 1
    };
  }

  private static long[] boxes(int[] whole, int[] part) {
    int[] count = {whole[0] / part[0], whole[1] / part[1], whole[2] / part[2]};
    long[] boxes = new long[count[0] * count[1] * count[2]];
    for (int z = 0; z < whole[2]; z++) {
      for (int y = 0; y < whole[1]; y++) {
        for (int x = 0; x < whole[0]; x++) {
          int worker = (z * whole[1] + y) * whole[0] + x;
          int box = (z / part[2] * count[1] + y / part[1]) * count[0] + x / part[0];
          boxes[box] |= 1L << worker;
        }
      }
    }
    return boxes;
  }

  /** Returns the level of the slice itself. */
  int top() {
    return levels.size() - 1;
  }

  /** Returns the level of a topology; -1 if it has no boxes. */
  int level(SliceTopology topology) {
    return levels.indexOf(topology);
  }

  /** Returns the number of chips in a box of a level. */
  long chips(int level) {
    return chips[level];
  }

  /** Returns the number of boxes of a level. */
  int count(int level) {
    return hosts[level].length;
  }

  /** Returns the hosts of a box. */
  long hosts(int level, int box) {
    return hosts[level][box];
  }

  /** Returns all hosts. */
  long all() {
    return all;
  }

  /** Returns the number of free boxes of a level, given the free hosts. */
  int free(int level, long free) {
    int count = 0;
    for (long box : hosts[level]) {
      count += (free & box) == box ? 1 : 0;
    }
    return count;
  }

  /** Receives boxes. */
  interface Visitor {
    void visit(int level, int box);
  }

  /** Visits the largest free boxes at or above a level; they are disjoint. */
  void largestFree(int lowest, long free, Visitor visitor) {
    if ((free & all()) != 0) {
      largestFree(top(), 0, lowest, free, visitor);
    }
  }

  private void largestFree(int level, int box, int lowest, long free, Visitor visitor) {
    long its = hosts[level][box];
    if ((free & its) == its) {
      visitor.visit(level, box);
    } else if (level > lowest && (free & its) != 0) {
      for (int smaller : inner[level][box]) {
        largestFree(level - 1, smaller, lowest, free, visitor);
      }
    }
  }

  /**
   * Returns the boxes of a level inside a box, ordered so that each intermediate box is used up
   * before the next.
   */
  List<Integer> inside(int outerLevel, int outer, int level) {
    List<Integer> found = new ArrayList<>();
    collect(outerLevel, outer, level, found);
    return found;
  }

  private void collect(int at, int box, int level, List<Integer> found) {
    if (at == level) {
      found.add(box);
      return;
    }
    for (int smaller : inner[at][box]) {
      collect(at - 1, smaller, level, found);
    }
  }
}
