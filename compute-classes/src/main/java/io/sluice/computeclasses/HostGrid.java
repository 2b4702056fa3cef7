// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The arrangement of a slice's hosts in x, y and z. Each has a block of chips, as 2x2; the blocks
 * fill the topology. Workers are numbered along x first, then y, then z (as Ray and the GKE webhook
 * do it).
 *
 * @param block chips of a host in x, y and z
 * @param hosts how many hosts there are in x, y and z
 */
public record HostGrid(Position block, Position hosts) {
  /** Three lengths, or a place counted from 0: those of a topology of two sides have z last. */
  record Position(int x, int y, int z) {
    int product() {
      return x * y * z;
    }

    /** As TPU programs read it: {@code 2,2,1}. */
    public String bounds() {
      return List.of(x, y, z).stream().map(String::valueOf).collect(Collectors.joining(","));
    }
  }

  /**
   * The grid of a slice.
   *
   * @param chipsPerHost at least 1
   * @throws InvalidValueException if hosts with so many chips cannot fill the topology
   */
  public static HostGrid of(SliceTopology topology, int chipsPerHost) {
    Position chips = lengths(topology);
    if (topology.chips() <= chipsPerHost) {
      return new HostGrid(chips, new Position(1, 1, 1));
    }
    Position block = block(chipsPerHost);
    if (chips.x() % block.x() != 0 || chips.y() % block.y() != 0 || chips.z() % block.z() != 0) {
      throw new InvalidValueException(
          "cannot be filled by hosts of "
              + chipsPerHost
              + " chips, which stand as "
              + block.x()
              + "x"
              + block.y());
    }
    return new HostGrid(
        block, new Position(chips.x() / block.x(), chips.y() / block.y(), chips.z() / block.z()));
  }

  /** The grid of a slice; null if its hosts cannot fill its topology. */
  static @Nullable HostGrid ofSlice(Slice slice) {
    try {
      HostGrid grid = of(slice.topology(), slice.chipsPerHost());
      return grid.workers() == slice.hosts().size() ? grid : null;
    } catch (InvalidValueException unlikeAnyMachine) {
      return null;
    }
  }

  private static Position lengths(SliceTopology topology) {
    List<Integer> sides = topology.sides();
    return new Position(sides.get(0), sides.get(1), sides.size() > 2 ? sides.get(2) : 1);
  }

  /** The flattest block whose first side is not the longer one: 1x1, 1x2, 2x2, 2x4, 4x4. */
  private static Position block(int chipsPerHost) {
    int x = (int) Math.sqrt(chipsPerHost);
    while (chipsPerHost % x != 0) {
      x--;
    }
    return new Position(x, chipsPerHost / x, 1);
  }

  public int workers() {
    return hosts.product();
  }

  /**
   * The number of the worker at a place.
   *
   * @throws InvalidValueException if there is no such place
   */
  public int workerId(Position at) {
    if (!holds(at)) {
      throw new InvalidValueException("is no place of a grid of " + hosts.bounds() + " hosts");
    }
    return at.z() * hosts.y() * hosts.x() + at.y() * hosts.x() + at.x();
  }

  private boolean holds(Position at) {
    return at.x() >= 0
        && at.x() < hosts.x()
        && at.y() >= 0
        && at.y() < hosts.y()
        && at.z() >= 0
        && at.z() < hosts.z();
  }

  /**
   * Where a worker stands.
   *
   * @throws InvalidValueException if there is no worker of that number
   */
  public Position position(int workerId) {
    if (workerId < 0 || workerId >= workers()) {
      throw new InvalidValueException("is no worker of " + workers() + ", numbered from 0");
    }
    int layer = hosts.x() * hosts.y();
    return new Position(workerId % hosts.x(), workerId % layer / hosts.x(), workerId / layer);
  }

  /**
   * The workers of each sub-slice that a slice falls into, sub-slices in the order of their places
   * and workers in that of their numbers.
   *
   * @param part the topology of a sub-slice
   * @throws InvalidValueException if the parts do not fill the slice, or would divide hosts
   */
  public List<List<Integer>> subSlices(SliceTopology part) {
    HostGrid each = of(part, block.product());
    Position size = each.hosts();
    if (!each.block().equals(block)
        || hosts.x() % size.x() != 0
        || hosts.y() % size.y() != 0
        || hosts.z() % size.z() != 0) {
      throw new InvalidValueException("does not divide the slice into whole hosts");
    }
    List<List<Integer>> parts = new ArrayList<>();
    for (int z = 0; z < hosts.z(); z += size.z()) {
      for (int y = 0; y < hosts.y(); y += size.y()) {
        for (int x = 0; x < hosts.x(); x += size.x()) {
          parts.add(workersFrom(new Position(x, y, z), size));
        }
      }
    }
    return List.copyOf(parts);
  }

  private List<Integer> workersFrom(Position corner, Position size) {
    List<Integer> workers = new ArrayList<>();
    for (int z = 0; z < size.z(); z++) {
      for (int y = 0; y < size.y(); y++) {
        for (int x = 0; x < size.x(); x++) {
          workers.add(workerId(new Position(corner.x() + x, corner.y() + y, corner.z() + z)));
        }
      }
    }
    return List.copyOf(workers);
  }
}
