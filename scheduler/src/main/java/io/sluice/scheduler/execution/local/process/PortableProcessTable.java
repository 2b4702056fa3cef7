// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

import io.sluice.queuemodel.job.AttemptKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The process table of any POSIX system: it knows whether a process group has members, but not
 * processes that left their group. Start times are in milliseconds since 1970.
 */
public final class PortableProcessTable implements ProcessTable {
  private static final String PRINT_LIVE_GROUPS =
      "for group do kill -0 -- \"-$group\" 2>/dev/null && echo \"$group\"; done; exit 0";
  private static final int GROUPS_AT_ONCE = 500;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Path shell;

  public PortableProcessTable(Path shell) {
    this.shell = shell;
  }

  @Override
  public OptionalLong startOf(long pid) {
    Optional<Instant> start =
        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).flatMap(p -> p.info().startInstant());
    return start.isPresent() ? OptionalLong.of(start.get().toEpochMilli()) : OptionalLong.empty();
  }

  /** {@inheritDoc} Always empty: start times are dates, which differ between boots anyway. */
  @Override
  public String bootId() {
    return "";
  }

  @Override
  public Map<AttemptKey, Remains> remains(Collection<Sought> sought) {
    Map<Long, AttemptKey> attemptByGroup = new TreeMap<>();
    Map<Long, ProcessMark> liveLeaders = new HashMap<>();
    Map<AttemptKey, Remains> remains = new TreeMap<>();
    for (Sought one : sought) {
      remains.put(
          one.attempt(), new Remains(new TreeSet<>(), new ArrayList<>(), new ArrayList<>()));
      for (ProcessMark leader : one.leaders()) {
        OptionalLong start = startOf(leader.pid());
        if (start.isEmpty() || start.getAsLong() == leader.start()) {
          attemptByGroup.put(leader.pid(), one.attempt());
        }
        if (start.isPresent()) {
          liveLeaders.put(leader.pid(), leader);
        }
      }
    }
    for (long group : live(List.copyOf(attemptByGroup.keySet()))) {
      AttemptKey attempt = attemptByGroup.get(group);
      Remains found = attempt == null ? null : remains.get(attempt);
      if (found != null) {
        found.groups().add(group);
        ProcessMark leader = liveLeaders.get(group);
        if (leader != null) {
          found.members().add(leader);
        }
      }
    }
    return remains;
  }

  @Override
  public List<Carrier> carriers() {
    return List.of();
  }

  private List<Long> live(List<Long> groups) {
    List<Long> live = new ArrayList<>();
    for (int from = 0; from < groups.size(); from += GROUPS_AT_ONCE) {
      List<String> command = new ArrayList<>(List.of(shell.toString(), "-c", PRINT_LIVE_GROUPS));
      command.add(shell.toString());
      groups.subList(from, Math.min(groups.size(), from + GROUPS_AT_ONCE)).stream()
          .map(group -> Long.toString(group))
          .forEach(command::add);
      try {
        Tool.run(command, LIMIT).text().lines().map(Long::valueOf).forEach(live::add);
      } catch (IOException notRun) {
        throw new UncheckedIOException(notRun);
      }
    }
    return live;
  }
}
