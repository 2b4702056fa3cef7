// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import io.sluice.queuemodel.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * The shape of a slice in chips: two or three sides, as {@code 4x4} or {@code 4x4x8}.
 *
 * @param sides each at least 1
 */
public record SliceTopology(List<Integer> sides) implements Comparable<SliceTopology> {
  private static final Pattern NOTATION = Pattern.compile("[1-9]\\d{0,3}(x[1-9]\\d{0,3}){1,2}");

  public SliceTopology {
    sides = List.copyOf(sides);
  }

  /**
   * Reads the notation.
   *
   * @throws InvalidValueException if the text is no topology
   */
  public static SliceTopology parse(String text) {
    if (!NOTATION.matcher(text).matches()) {
      throw new InvalidValueException("must be a topology such as 4x4 or 4x4x8");
    }
    List<Integer> sides = new ArrayList<>();
    for (String side : text.split("x", -1)) {
      sides.add(Integer.valueOf(side));
    }
    return new SliceTopology(sides);
  }

  /** The product of the sides. */
  public long chips() {
    long chips = 1;
    for (int side : sides) {
      chips *= side;
    }
    return chips;
  }

  /** Whether the other is so many of these side by side, as one of them is. */
  public boolean divides(SliceTopology other) {
    boolean divides = sides.size() == other.sides.size();
    for (int side = 0; divides && side < sides.size(); side++) {
      divides = other.sides.get(side) % sides.get(side) == 0;
    }
    return divides;
  }

  @Override
  public int compareTo(SliceTopology other) {
    if (sides.equals(other.sides)) {
      return 0;
    }
    int bySize = Long.compare(chips(), other.chips());
    return bySize != 0 ? bySize : toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner("x");
    sides.forEach(side -> text.add(side.toString()));
    return text.toString();
  }
}
