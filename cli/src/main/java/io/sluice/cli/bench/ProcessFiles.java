// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files in which Linux describes processes (proc(5)). A value is null if the process has
 * ended, if its files are those of another account, or on another system.
 */
final class ProcessFiles {
  /** USER_HZ, which is 100 on every platform of Linux that Java runs on. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int BYTES_PER_KIBIBYTE = 1024;

  /** Places among the fields of {@code stat} after the command's name. */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;
  private static final int USER_TICKS_OF_ENDED_CHILDREN = 13;
  private static final int SYSTEM_TICKS_OF_ENDED_CHILDREN = 14;

  private static final Pattern PEAK = Pattern.compile("(?m)^VmHWM:\\s+(\\d{1,15}) kB$");
  private static final Pattern PROPORTIONAL = Pattern.compile("(?m)^Pss:\\s+(\\d{1,15}) kB$");
  private static final Pattern PID = Pattern.compile("\\d{1,10}");

  private final Path proc;

  /**
   * Creates a reader.
   *
   * @param proc the folder with a folder for each process, {@code /proc}
   */
  ProcessFiles(Path proc) {
    this.proc = proc;
  }

  /** Returns the CPU seconds of a process and of its children that have ended. */
  @Nullable Double cpuSeconds(long pid) {
    String stat = read(pid, "stat");
    if (stat == null || stat.isEmpty()) {
      return null; // it has ended, if need be while it was read
    }
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = 0;
    for (int place :
        new int[] {
          USER_TICKS, SYSTEM_TICKS, USER_TICKS_OF_ENDED_CHILDREN, SYSTEM_TICKS_OF_ENDED_CHILDREN
        }) {
      ticks += Long.parseLong(fields[place]);
    }
    return ticks / TICKS_PER_SECOND;
  }

  /** Returns the most memory that a process has had resident, in bytes. */
  @Nullable Long peakBytes(long pid) {
    return bytes(read(pid, "status"), PEAK);
  }

  /**
   * Returns the memory of a process in bytes, in which a page that several processes share counts
   * for each of them in part. Takes the kernel milliseconds, as it visits every page.
   */
  @Nullable Long proportionalBytes(long pid) {
    return bytes(read(pid, "smaps_rollup"), PROPORTIONAL);
  }

  /** Returns the children of a process that has one thread. */
  List<Long> children(long pid) {
    String text = read(pid, "task/" + pid + "/children");
    List<Long> children = new ArrayList<>();
    Matcher child = PID.matcher(text == null ? "" : text);
    while (child.find()) {
      children.add(Long.parseLong(child.group()));
    }
    return children;
  }

  private static @Nullable Long bytes(@Nullable String text, Pattern line) {
    Matcher found = line.matcher(text == null ? "" : text);
    return found.find() ? (Long) (Long.parseLong(found.group(1)) * BYTES_PER_KIBIBYTE) : null;
  }

  private @Nullable String read(long pid, String file) {
    try {
      return Files.readString(
          proc.resolve(Long.toString(pid)).resolve(file), StandardCharsets.ISO_8859_1);
    } catch (IOException unreadable) {
      return null;
    }
  }
}
