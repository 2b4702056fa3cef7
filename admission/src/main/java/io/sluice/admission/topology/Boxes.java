// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The aligned boxes of hosts in a slice, level by level: the smallest topology that can be cut from
 * it is level 0, the slice itself the last. Boxes of one level are numbered with x fastest. A set
 * of hosts is the bits of a long, bit w for the host of worker w; of a slice that is not divisible
 * bit 0 is all of it. Two boxes are nested or apart.
 */
final class Boxes {
  private static final int HOST_SIDE = 2;

  private final List<SliceTopology> levels;
  private final long[][] hosts;
  private final long[] chips;

  /** Of each level but the lowest, for each box its boxes of the level below. */
  private final int[][][] inner;

  private Boxes(List<SliceTopology> levels, long[][] hosts) {
    this.levels = levels;
    this.hosts = hosts;
    this.chips = levels.stream().mapToLong(SliceTopology::chips).toArray();
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

  /** The boxes of a slice; itself alone, if it is not divisible. */
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

  /** The sides of a topology in hosts of 2x2 chips; a third one is 1 where there is none. */
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

  /** Number of the level that is the slice itself. */
  int top() {
    return levels.size() - 1;
  }

  /** The level of a topology; -1 if there are no boxes of it. */
  int level(SliceTopology topology) {
    return levels.indexOf(topology);
  }

  /** How many chips a box of a level has. */
  long chips(int level) {
    return chips[level];
  }

  /** How many boxes a level has. */
  int count(int level) {
    return hosts[level].length;
  }

  /** The hosts of a box. */
  long hosts(int level, int box) {
    return hosts[level][box];
  }

  /** All hosts. */
  long all() {
    return hosts[top()][0];
  }

  /** How many boxes of a level are free, given the free hosts. */
  int free(int level, long free) {
    int count = 0;
    for (long box : hosts[level]) {
      count += (free & box) == box ? 1 : 0;
    }
    return count;
  }

  /** Is told of boxes. */
  interface Visitor {
    void visit(int level, int box);
  }

  /** Tells of the largest free boxes, of no lower level than the given one; they are disjoint. */
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
   * The boxes of a level in a box, so that each larger box in between is used up before the next.
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
