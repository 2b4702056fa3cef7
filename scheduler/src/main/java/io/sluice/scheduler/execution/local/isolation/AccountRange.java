// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ids that accounts of namespaces may have, as user and as group ids.
 *
 * @param first at least {@link #FIRST_MIN}
 * @param last at least {@code first}
 */
public record AccountRange(int first, int last) {
  /** The range of a machine whose /etc/subuid has none for root. */
  public static final AccountRange DEFAULT = new AccountRange(200_000, 265_535);

  /** Lower ids are accounts of the system and of people. */
  private static final int FIRST_MIN = 1000;

  private static final Pattern TEXT = Pattern.compile("(\\d{1,9})-(\\d{1,9})");
  private static final Pattern SUBORDINATE = Pattern.compile("([^:]+):(\\d{1,10}):(\\d{1,10})");
  private static final Pattern NUMBERED = Pattern.compile("([^:]+):[^:]*:(\\d{1,10})(?::.*)?");

  public AccountRange {
    if (first < FIRST_MIN || last < first) {
      throw new IllegalArgumentException(
          "must be FIRST-LAST with FIRST at least "
              + FIRST_MIN
              + " and LAST not less: "
              + first
              + "-"
              + last);
    }
  }

  /**
   * Parses a range such as {@code 200000-265535}.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static AccountRange parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("must be FIRST-LAST, such as 200000-265535: " + text);
    }
    return new AccountRange(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /**
   * Returns root's first range in /etc/subuid, else {@link #DEFAULT}.
   *
   * @param etc the directory {@code /etc}
   */
  static AccountRange ofMachine(Path etc) throws IsolationException {
    for (String line : lines(etc.resolve("subuid"))) {
      Matcher matcher = SUBORDINATE.matcher(line);
      if (matcher.matches() && isRoot(matcher.group(1))) {
        long first = Long.parseLong(matcher.group(2));
        long last = first + Long.parseLong(matcher.group(3)) - 1;
        if (first >= FIRST_MIN && last >= first && last < Integer.MAX_VALUE) {
          return new AccountRange((int) first, (int) last);
        }
      }
    }
    return DEFAULT;
  }

  /**
   * Checks that no id of the range belongs to an account of the machine or to another account's
   * subordinate ids.
   *
   * @param etc the directory {@code /etc}
   * @throws IsolationException naming the conflict
   */
  void requireFree(Path etc) throws IsolationException {
    for (String file : List.of("subuid", "subgid")) {
      for (String line : lines(etc.resolve(file))) {
        Matcher matcher = SUBORDINATE.matcher(line);
        if (matcher.matches() && !isRoot(matcher.group(1))) {
          long start = Long.parseLong(matcher.group(2));
          requireApart(start, start + Long.parseLong(matcher.group(3)) - 1, matcher.group(1), file);
        }
      }
    }
    for (String file : List.of("passwd", "group")) {
      for (String line : lines(etc.resolve(file))) {
        Matcher matcher = NUMBERED.matcher(line);
        if (matcher.matches()) {
          long id = Long.parseLong(matcher.group(2));
          requireApart(id, id, matcher.group(1), file);
        }
      }
    }
  }

  private void requireApart(long from, long to, String owner, String file)
      throws IsolationException {
    if (from <= last && to >= first) {
      throw new IsolationException(
          "the ids "
              + this
              + " for accounts of jobs overlap those of "
              + owner
              + " in /etc/"
              + file
              + " (choose others with --job-accounts)");
    }
  }

  private static boolean isRoot(String name) {
    return name.equals("root") || name.equals("0");
  }

  private static List<String> lines(Path file) throws IsolationException {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException none) {
      return List.of();
    } catch (IOException unreadable) {
      throw new IsolationException(file + " cannot be read");
    }
  }

  boolean contains(int id) {
    return id >= first && id <= last;
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}
