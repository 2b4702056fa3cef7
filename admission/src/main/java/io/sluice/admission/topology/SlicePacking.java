// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.admission.topology.PoolSources.Entry;
import io.sluice.admission.topology.PoolSources.Group;
import io.sluice.admission.topology.PoolSources.Seat;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Chooses slices of a pool from the free hosts, all at once, and minimizes fragmentation.
 *
 * <p>Goal: for all larger topologies at once, leave as many free boxes as any choice of that many
 * slices could. Among such choices, leave the numbers of free slices per block lexicographically
 * largest, largest block first.
 *
 * <p>Algorithm: take the maximal free boxes in order of size, and use up each before the next. A
 * box inside a larger free one is touched only when all boxes outside are used, and as few larger
 * ones as possible are opened; boxes nest, so this holds for every size. Take whole slices from the
 * block with the fewest free. Join slices last: leave the surplus over the wanted number to one
 * block after another, each time to the block that then keeps most.
 *
 * <p>Example: two cubes in one block, the first with two of its eight 2x2x2 boxes in use. Five more
 * of them come from the first cube, and so do eight of 2x2x1; a 4x4x8 is no longer possible, a
 * 4x4x4 is.
 */
final class SlicePacking {
  /** Supplies the free hosts of a slice of the fleet. */
  interface Free {
    long of(Entry entry);
  }

  /**
   * A free box that is inside no larger free one.
   *
   * @param freeInBlock for a whole slice of a block, number of free slices of the block; else 0
   */
  private record Box(Entry entry, int level, int box, int freeInBlock, int seatLevel) {
    /** Orders boxes by their use for other topologies, least useful first. */
    private static final Comparator<Box> ORDER = Box::compare;

    private static int compare(Box one, Box other) {
      int order = Long.compare(one.chips(), other.chips());
      order = order == 0 ? Integer.compare(one.freeInBlock, other.freeInBlock) : order;
      order = order == 0 ? Integer.compare(one.entry.uses(), other.entry.uses()) : order;
      order = order == 0 ? one.block().compareTo(other.block()) : order;
      order = order == 0 ? Integer.compare(one.entry.rank(), other.entry.rank()) : order;
      return order == 0 ? Integer.compare(one.box, other.box) : order;
    }

    long chips() {
      return entry.boxes().chips(level);
    }

    String block() {
      String block = freeInBlock > 0 ? entry.slice().forming().block() : null;
      return block == null ? "" : block;
    }
  }

  private final PoolSources sources;
  private final Free free;

  SlicePacking(PoolSources sources, Free free) {
    this.sources = sources;
    this.free = free;
  }

  /** Returns the number of slices that could be chosen at once. */
  int count() {
    int count = 0;
    for (Seat seat : sources.seats()) {
      count += seat.entry().boxes().free(seat.level(), free.of(seat.entry()));
    }
    for (Group group : sources.groups()) {
      count += wholeOf(group).size() / sources.membersPerSlice();
    }
    return count;
  }

  /** Returns up to the given number of slices; no two share a host. */
  List<SliceName> choose(SliceTopology topology, int most) {
    List<SliceName> chosen = new ArrayList<>();
    chooseUnformed(most, chosen);
    if (chosen.size() < most) {
      chooseBoxes(topology, most, chosen);
    }
    if (chosen.size() < most) {
      join(topology, most - chosen.size(), chosen);
    }
    return chosen;
  }

  /** Chooses slices that cannot be cut or joined, by name. */
  private void chooseUnformed(int most, List<SliceName> chosen) {
    for (Seat seat : sources.seats()) {
      if (chosen.size() >= most) {
        return;
      }
      if (!formsOthers(seat.entry().slice()) && isWhole(seat.entry())) {
        chosen.add(SliceName.whole(seat.entry().slice().name()));
      }
    }
  }

  private static boolean formsOthers(Slice slice) {
    return slice.forming().block() != null || !slice.forming().parts().isEmpty();
  }

  private boolean isWhole(Entry entry) {
    return (~free.of(entry) & entry.boxes().all()) == 0;
  }

  private void chooseBoxes(SliceTopology topology, int most, List<SliceName> chosen) {
    int wanted = most - chosen.size();
    Map<String, Integer> freeInBlock = freeInBlocks();
    // At most one box per wanted slice is needed: keeps the best in a heap, worst on top.
    PriorityQueue<Box> best = new PriorityQueue<>(Box.ORDER.reversed());
    for (Seat seat : sources.seats()) {
      Entry entry = seat.entry();
      if (formsOthers(entry.slice())) {
        String block = entry.slice().forming().block();
        int others = block == null ? 0 : freeInBlock.getOrDefault(block, 0);
        entry
            .boxes()
            .largestFree(
                seat.level(),
                free.of(entry),
                (level, number) -> {
                  boolean whole = level == entry.boxes().top();
                  keep(
                      best,
                      new Box(entry, level, number, whole ? others : 0, seat.level()),
                      wanted);
                });
      }
    }
    List<Box> inOrder = new ArrayList<>(best);
    inOrder.sort(Box.ORDER);
    for (Box box : inOrder) {
      for (int number : box.entry().boxes().inside(box.level(), box.box(), box.seatLevel())) {
        if (chosen.size() == most) {
          return;
        }
        String slice = box.entry().slice().name();
        boolean itself = box.seatLevel() == box.entry().boxes().top();
        chosen.add(itself ? SliceName.whole(slice) : SliceName.part(slice, topology, number));
      }
    }
  }

  private static void keep(PriorityQueue<Box> best, Box box, int most) {
    if (best.size() < most) {
      best.add(box);
    } else if (Box.compare(box, best.element()) < 0) {
      best.remove();
      best.add(box);
    }
  }

  /** Returns the number of entirely free slices of each block. */
  private Map<String, Integer> freeInBlocks() {
    TreeMap<String, Integer> count = new TreeMap<>();
    for (Seat seat : sources.seats()) {
      String block = seat.entry().slice().forming().block();
      if (block != null && isWhole(seat.entry())) {
        count.merge(block, 1, Integer::sum);
      }
    }
    return count;
  }

  private List<Entry> wholeOf(Group group) {
    List<Entry> whole = new ArrayList<>();
    for (Entry entry : group.members()) {
      if (isWhole(entry)) {
        whole.add(entry);
      }
    }
    return whole;
  }

  private void join(SliceTopology topology, int wanted, List<SliceName> chosen) {
    List<List<Entry>> blocks = new ArrayList<>();
    sources.groups().forEach(group -> blocks.add(wholeOf(group)));
    int each = sources.membersPerSlice();
    int[] counts = blocks.stream().mapToInt(List::size).toArray();
    int[] joins = each == 0 ? counts : shares(counts, each, wanted);
    for (int block = 0; block < joins.length; block++) {
      for (int join = 0; join < joins[block]; join++) {
        List<Entry> members = blocks.get(block).subList(join * each, (join + 1) * each);
        chosen.add(
            SliceName.joined(
                topology, members.stream().map(entry -> entry.slice().name()).toList()));
      }
    }
  }

  /**
   * Returns the number of slices that each block makes.
   *
   * @param free number of free members of each block
   * @param each number of members per slice
   * @param wanted total number of slices; if fewer are possible, all are made
   */
  static int[] shares(int[] free, int each, int wanted) {
    int[] joins = new int[free.length];
    int spare = -wanted;
    for (int block = 0; block < free.length; block++) {
      joins[block] = free[block] / each;
      spare += joins[block];
    }
    boolean[] settled = new boolean[free.length];
    while (spare > 0) {
      int most = -1;
      int left = -1;
      for (int block = 0; block < free.length; block++) {
        int could = free[block] % each + each * Math.min(joins[block], spare);
        if (!settled[block] && could > left) {
          most = block;
          left = could;
        }
      }
      settled[most] = true;
      int spared = Math.min(joins[most], spare);
      joins[most] -= spared;
      spare -= spared;
    }
    return joins;
  }
}
