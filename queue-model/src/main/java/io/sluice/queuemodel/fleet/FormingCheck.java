// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import io.sluice.queuemodel.InvalidValueException;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks the forming rules of slices: parts that nest, and names that fit. */
public final class FormingCheck {
  /** Hosts of a divisible slice, at most. */
  public static final int HOSTS_MAX = 64;

  /** Characters of all names of a block's slices together, at most: they may be in one name. */
  public static final int NAMES_LENGTH_MAX = 2000;

  private static final int CHIPS_PER_HOST = 4;
  private static final int BRACKETS = 3;

  private FormingCheck() {}

  /**
   * What is wrong with a slice by itself: it starts where the field's or slice's name ends.
   *
   * @return null if nothing is
   */
  public static @Nullable String fault(Slice slice) {
    Forming forming = slice.forming();
    if (forming.equals(Forming.NONE)) {
      return null;
    }
    List<Integer> sides = slice.topology().sides();
    boolean grid =
        slice.hosts().size() * (long) CHIPS_PER_HOST == slice.topology().chips()
            && sides.get(0) % 2 == 0
            && sides.get(1) % 2 == 0;
    if (!grid) {
      return "can form no other slices: its hosts do not have 2x2 chips each";
    }
    if (!forming.parts().isEmpty() && slice.hosts().size() > HOSTS_MAX) {
      return "cannot be divisible: it has more than "
          + HOSTS_MAX
          + " hosts; let it be several slices in one block";
    }
    for (int at = 0; at < forming.parts().size(); at++) {
      SliceTopology part = forming.parts().get(at);
      boolean last = at == forming.parts().size() - 1;
      SliceTopology next = last ? slice.topology() : forming.parts().get(at + 1);
      boolean hosts = part.sides().get(0) % 2 == 0 && part.sides().get(1) % 2 == 0;
      if (!hosts || part.equals(next) || !part.divides(next)) {
        return "cannot be cut into "
            + part
            + (hosts ? ", which does not divide " + next : ", which has no whole hosts");
      }
    }
    return null;
  }

  /**
   * What is wrong with a slice beside another one of its block.
   *
   * @return null if nothing is
   */
  static @Nullable String faultBeside(Slice slice, Slice other) {
    boolean alike =
        slice.acceleratorType().equals(other.acceleratorType())
            && slice.topology().equals(other.topology())
            && slice.hosts().size() == other.hosts().size()
            && slice.capacityType() == other.capacityType();
    return alike
        ? null
        : "is in block "
            + slice.forming().block()
            + " with "
            + other.name()
            + ", and is of another type, topology or capacity type";
  }

  /**
   * Checks all slices, each alone and beside the others of its block.
   *
   * @throws InvalidValueException if something is wrong
   */
  static void check(List<Slice> slices) {
    TreeMap<String, Slice> firstOfBlock = new TreeMap<>();
    TreeMap<String, Integer> lengths = new TreeMap<>();
    TreeSet<String> prefixes = new TreeSet<>();
    for (Slice slice : slices) {
      String fault = fault(slice);
      String block = slice.forming().block();
      if (fault == null && block != null) {
        Slice first = firstOfBlock.putIfAbsent(block, slice);
        fault = first == null ? null : faultBeside(slice, first);
        String prefix = slice.name().substring(0, slice.name().length() - digits(slice.name()));
        boolean another = prefixes.add(block + "/" + prefix);
        int added = digits(slice.name()) + 1 + (another ? prefix.length() + BRACKETS : 0);
        int length = lengths.merge(block, added, Integer::sum);
        if (fault == null && length > NAMES_LENGTH_MAX) {
          fault =
              "is one too many in block "
                  + block
                  + ": names that differ only by a number at their end leave room for more";
        }
      }
      if (fault != null) {
        throw new InvalidValueException("slice " + slice.name() + " " + fault);
      }
    }
  }

  private static int digits(String name) {
    int digits = 0;
    while (digits < name.length() && Character.isDigit(name.charAt(name.length() - 1 - digits))) {
      digits++;
    }
    return digits;
  }
}
