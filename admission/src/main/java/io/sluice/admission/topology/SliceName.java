// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Forming;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed name of a slice: the slices of the fleet that it uses, and how. {@code cube-3} is that
 * slice, {@code cube-3/2x2x4-1} its box number 1 of 2x2x4 (from 0), {@code 4x4x8:cube-[0,3]} the
 * slice joined from {@code cube-0} and {@code cube-3}.
 *
 * @param members slices of the fleet; several in order
 * @param topology topology of the formed slice; null if it is its only member
 * @param number number of the box among the member's boxes of this topology; -1 for joined members
 */
record SliceName(List<String> members, @Nullable SliceTopology topology, int number) {
  private static final Pattern PART = Pattern.compile("([^/:]+)/([0-9x]+)-(0|[1-9]\\d{0,5})");
  private static final Pattern JOINED = Pattern.compile("([0-9x]+):(.+)");
  private static final Pattern GROUP = Pattern.compile("([^\\[\\]+]*)\\[([0-9,-]+)\\]");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");
  private static final int DIGITS_MAX = 9;
  private static final int MEMBERS_MAX = 100_000;

  /** A name split into a prefix and its trailing number, by which members are ordered. */
  private record Numbered(String prefix, int number) {
    static Numbered of(String name) {
      int at = name.length();
      while (at > 0 && name.length() - at < DIGITS_MAX && Character.isDigit(name.charAt(at - 1))) {
        at--;
      }
      while (at < name.length() - 1 && name.charAt(at) == '0') {
        at++;
      }
      return at == name.length()
          ? new Numbered(name, -1)
          : new Numbered(name.substring(0, at), Integer.parseInt(name.substring(at)));
    }
  }

  /** Orders by prefix, then by trailing number. */
  static final Comparator<String> ORDER =
      Comparator.<String, String>comparing(name -> Numbered.of(name).prefix())
          .thenComparing(name -> Numbered.of(name).number())
          .thenComparing(Comparator.naturalOrder());

  SliceName {
    members = List.copyOf(members);
  }

  static SliceName whole(String slice) {
    return new SliceName(List.of(slice), null, 0);
  }

  static SliceName part(String slice, SliceTopology topology, int number) {
    return new SliceName(List.of(slice), topology, number);
  }

  static SliceName joined(SliceTopology topology, List<String> members) {
    return new SliceName(members.stream().sorted(ORDER).toList(), topology, -1);
  }

  boolean isWhole() {
    return topology == null;
  }

  boolean isJoined() {
    return number < 0;
  }

  /** Parses a name; a name in no other notation is that of a slice of the fleet. */
  static SliceName parse(String name) {
    try {
      Matcher part = PART.matcher(name);
      if (part.matches()) {
        return part(
            part.group(1), SliceTopology.parse(part.group(2)), Integer.parseInt(part.group(3)));
      }
      Matcher joined = JOINED.matcher(name);
      if (joined.matches()) {
        List<String> members = members(joined.group(2));
        return members == null
            ? whole(name)
            : joined(SliceTopology.parse(joined.group(1)), members);
      }
      return whole(name);
    } catch (InvalidValueException noTopology) {
      return whole(name);
    }
  }

  private static @Nullable List<String> members(String text) {
    List<String> members = new ArrayList<>();
    for (String group : text.split("\\+", -1)) {
      Matcher numbered = GROUP.matcher(group);
      if (!numbered.matches()) {
        if (group.isEmpty() || group.indexOf('[') >= 0 || group.indexOf(']') >= 0) {
          return null;
        }
        members.add(group);
        continue;
      }
      for (String range : numbered.group(2).split(",", -1)) {
        Matcher ends = RANGE.matcher(range);
        if (!ends.matches()) {
          return null;
        }
        int first = Integer.parseInt(ends.group(1));
        int last = ends.group(2) == null ? first : Integer.parseInt(ends.group(2));
        if (last - first > MEMBERS_MAX) {
          return null;
        }
        for (int number = first; number <= last; number++) {
          members.add(numbered.group(1) + number);
        }
      }
    }
    return members;
  }

  /** Formats the name; parsing it gives an equal value. */
  @Override
  public String toString() {
    if (topology == null) {
      return members.get(0);
    }
    return isJoined() ? topology + ":" + groups() : members.get(0) + "/" + topology + "-" + number;
  }

  private String groups() {
    StringJoiner groups = new StringJoiner("+");
    int at = 0;
    while (at < members.size()) {
      Numbered first = Numbered.of(members.get(at));
      int end = at + 1;
      while (end < members.size()
          && first.number() >= 0
          && Numbered.of(members.get(end)).prefix().equals(first.prefix())
          && Numbered.of(members.get(end)).number() >= 0) {
        end++;
      }
      groups.add(
          end == at + 1
              ? members.get(at)
              : first.prefix() + "[" + ranges(members.subList(at, end)) + "]");
      at = end;
    }
    return groups.toString();
  }

  private static String ranges(List<String> names) {
    StringJoiner ranges = new StringJoiner(",");
    int at = 0;
    while (at < names.size()) {
      int first = Numbered.of(names.get(at)).number();
      int last = first;
      while (at + 1 < names.size() && Numbered.of(names.get(at + 1)).number() == last + 1) {
        last++;
        at++;
      }
      ranges.add(first == last ? Integer.toString(first) : first + "-" + last);
      at++;
    }
    return ranges.toString();
  }

  /** Returns the positions of divisible and joinable slices in the order of their names. */
  static SortedMap<String, Integer> ranks(Fleet fleet) {
    TreeSet<String> names = new TreeSet<>(ORDER);
    for (Slice slice : fleet.slices()) {
      if (!slice.forming().equals(Forming.NONE)) {
        names.add(slice.name());
      }
    }
    TreeMap<String, Integer> ranks = new TreeMap<>();
    names.forEach(name -> ranks.put(name, ranks.size()));
    return ranks;
  }
}
