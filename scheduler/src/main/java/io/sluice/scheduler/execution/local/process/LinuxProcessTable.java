// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The process table of Linux' {@code /proc}. Start times are in clock ticks since boot, which,
 * unlike wall-clock times, never shift. Zombies do not count as alive: only their parent can end
 * them, and they hold no resources.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html">proc_pid_stat(5)</a>
 */
public final class LinuxProcessTable implements ProcessTable {
  /** The most bytes of an environment to read, which is the kernel's limit. */
  private static final int ENVIRONMENT_BYTES_MAX = 2 << 20;

  /** How often an empty environment is read, and the pause before it is read again. */
  private static final int READINGS_MAX = 3;

  private static final Duration READING_PAUSE = Duration.ofMillis(1);

  private static final String USER = "Uid:\t";

  // Positions among the fields of stat after the name, which is in parentheses.
  private static final int STATE = 0;
  private static final int GROUP = 2;
  private static final int START = 19;

  private final Path proc;
  private final String marker;

  public LinuxProcessTable(Path proc, String executorId) {
    this.proc = proc;
    this.marker = EXECUTOR_ID + "=" + executorId;
  }

  /** Whether a proc file system is there in which this process finds itself. */
  public static boolean readable(Path proc) {
    return Files.isReadable(proc.resolve("self").resolve("stat"))
        && Files.isReadable(proc.resolve("self").resolve("environ"));
  }

  @Override
  public OptionalLong startOf(long pid) {
    Entry entry = entry(Long.toString(pid));
    return entry == null || entry.zombie() ? OptionalLong.empty() : OptionalLong.of(entry.start());
  }

  @Override
  public String bootId() {
    try {
      return Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
    } catch (IOException unreadable) {
      return "";
    }
  }

  @Override
  public Map<AttemptKey, Remains> remains(Collection<Sought> sought) {
    List<Entry> entries = entries();
    Map<Long, AttemptKey> attemptByGroup = attemptByGroup(entries, sought);
    Map<AttemptKey, Remains> remains = new TreeMap<>();
    // No process of an attempt is older than the first of its leaders, and where that one is not
    // known any process may be one: this spares the reading of most environments.
    long earliest = Long.MAX_VALUE;
    for (Sought one : sought) {
      remains.put(
          one.attempt(), new Remains(new TreeSet<>(), new ArrayList<>(), new ArrayList<>()));
      earliest =
          Math.min(
              earliest,
              one.leaders().stream().mapToLong(ProcessMark::start).min().orElse(Long.MIN_VALUE));
    }
    List<Entry> others = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.zombie()) {
        continue;
      }
      AttemptKey byGroup = attemptByGroup.get(entry.group());
      if (byGroup != null) {
        Remains found = remains.get(byGroup);
        if (found != null) {
          found.groups().add(entry.group());
          found.members().add(entry.mark());
        }
      } else if (entry.start() >= earliest) {
        others.add(entry);
      }
    }
    Map<AttemptKey, OptionalInt> users = new HashMap<>();
    sought.forEach(one -> users.put(one.attempt(), one.user()));
    carried(others)
        .forEach(
            (entry, attempt) -> {
              Remains found = remains.get(attempt);
              OptionalInt user = users.getOrDefault(attempt, OptionalInt.empty());
              if (found != null && (user.isEmpty() || user.equals(userOf(proc, entry.pid())))) {
                found.strays().add(entry.mark());
              }
            });
    return remains;
  }

  private static Map<Long, AttemptKey> attemptByGroup(
      List<Entry> entries, Collection<Sought> sought) {
    Map<Long, Long> startByPid = new HashMap<>();
    for (Entry entry : entries) {
      startByPid.put(entry.pid(), entry.start());
    }
    Map<Long, AttemptKey> attemptByGroup = new HashMap<>();
    for (Sought one : sought) {
      for (ProcessMark leader : one.leaders()) {
        // The kernel does not reuse a pid while a group has its number: another process with this
        // pid means that the group has ended.
        Long start = startByPid.get(leader.pid());
        if (start == null || start == leader.start()) {
          attemptByGroup.put(leader.pid(), one.attempt());
        }
      }
    }
    return attemptByGroup;
  }

  @Override
  public List<Carrier> carriers() {
    List<Entry> alive = entries().stream().filter(entry -> !entry.zombie()).toList();
    List<Carrier> carriers = new ArrayList<>();
    carried(alive)
        .forEach(
            (entry, attempt) -> carriers.add(new Carrier(attempt, entry.mark(), entry.group())));
    return carriers;
  }

  /**
   * Returns the attempts in the environments of processes, under this executor's id. A process has
   * an empty environment for a moment while it becomes another program, so that it is read again.
   */
  private Map<Entry, AttemptKey> carried(List<Entry> entries) {
    Map<Entry, AttemptKey> carried = new LinkedHashMap<>();
    List<Entry> unread = entries;
    for (int reading = 0; reading < READINGS_MAX && !unread.isEmpty(); reading++) {
      if (reading > 0) {
        LockSupport.parkNanos(READING_PAUSE.toNanos());
      }
      List<Entry> empty = new ArrayList<>();
      for (Entry entry : unread) {
        String environment = environment(entry);
        if (environment != null && environment.isEmpty()) {
          empty.add(entry);
        }
        AttemptKey attempt =
            environment != null && environment.contains(marker) ? parse(environment) : null;
        if (attempt != null) {
          carried.put(entry, attempt);
        }
      }
      unread = empty;
    }
    return carried;
  }

  /** Returns the environment of a process; null if it is not to be read or cannot be. */
  private @Nullable String environment(Entry entry) {
    if (entry.group() == 0 || entry.pid() == ProcessHandle.current().pid()) {
      return null; // a kernel thread; this server
    }
    try (InputStream file =
        Files.newInputStream(proc.resolve(Long.toString(entry.pid())).resolve("environ"))) {
      return new String(file.readNBytes(ENVIRONMENT_BYTES_MAX), StandardCharsets.ISO_8859_1);
    } catch (IOException goneOrForeign) {
      return null;
    }
  }

  private @Nullable AttemptKey parse(String environment) {
    Map<String, String> carried = new HashMap<>();
    boolean marked = false;
    for (String variable : environment.split("\0", -1)) {
      int equals = variable.indexOf('=');
      if (equals > 0 && variable.startsWith("SLUICE_")) {
        carried.put(variable.substring(0, equals), variable.substring(equals + 1));
        marked |= variable.equals(marker);
      }
    }
    String number = carried.getOrDefault("SLUICE_INDEX", "");
    try {
      return marked
          ? new AttemptKey(
              JobId.parse(carried.getOrDefault("SLUICE_JOB_ID", "")),
              Integer.parseInt(carried.getOrDefault("SLUICE_ATTEMPT_INDEX", number)),
              Integer.parseInt(carried.getOrDefault("SLUICE_ATTEMPT", "")))
          : null;
    } catch (InvalidValueException | NumberFormatException changedByTheJob) {
      return null;
    }
  }

  /**
   * Returns the real user id of a process; empty if it has ended. The owner of its folder would be
   * root for a process that does not permit core dumps.
   */
  public static OptionalInt userOf(Path proc, long pid) {
    Path status = proc.resolve(Long.toString(pid)).resolve("status");
    try {
      for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
        if (line.startsWith(USER)) {
          return OptionalInt.of(Integer.parseInt(line.substring(USER.length()).split("\t", 2)[0]));
        }
      }
    } catch (IOException | NumberFormatException gone) {
      return OptionalInt.empty();
    }
    return OptionalInt.empty();
  }

  private List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    String[] names = proc.toFile().list();
    if (names == null) {
      throw new IllegalStateException(proc + " cannot be read any more");
    }
    for (String name : names) {
      Entry entry = Character.isDigit(name.charAt(0)) ? entry(name) : null;
      if (entry != null) {
        entries.add(entry);
      }
    }
    return entries;
  }

  private @Nullable Entry entry(String pid) {
    try {
      String stat =
          Files.readString(proc.resolve(pid).resolve("stat"), StandardCharsets.ISO_8859_1);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", START + 2);
      return new Entry(
          Long.parseLong(pid),
          "ZXx".contains(fields[STATE]),
          Long.parseLong(fields[GROUP]),
          Long.parseLong(fields[START]));
    } catch (IOException gone) {
      return null;
    }
  }

  /** A process. */
  private record Entry(long pid, boolean zombie, long group, long start) {
    ProcessMark mark() {
      return new ProcessMark(pid, start);
    }
  }
}
