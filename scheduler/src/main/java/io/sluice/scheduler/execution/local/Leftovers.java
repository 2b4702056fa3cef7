// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.local.files.AttemptRecords.AttemptRecord;
import io.sluice.scheduler.execution.local.files.AttemptRecords.PodRecord;
import io.sluice.scheduler.execution.local.files.ExecutorDirectory;
import io.sluice.scheduler.execution.local.process.ProcessMark;
import io.sluice.scheduler.execution.local.process.ProcessTable;
import io.sluice.scheduler.execution.local.process.ProcessTable.Carrier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds processes that an earlier server started and whose end it did not record. A process group
 * counts as Sluice's only on proof: its leader is the process on record, or a member carries the
 * executor's name. A pid or group number alone proves nothing, since the system reuses them.
 */
final class Leftovers {
  private final ExecutorDirectory directory;

  Leftovers(ExecutorDirectory directory) {
    this.directory = directory;
  }

  /**
   * The processes and record of an attempt.
   *
   * @param leaders leaders of its proven process groups
   * @param started its record; null if there is none
   */
  record Leftover(List<ProcessMark> leaders, @Nullable AttemptRecord started) {}

  /** Returns the attempts that have a record or a process. */
  Map<AttemptKey, Leftover> find() {
    ProcessTable table = directory.platform().table();
    Map<AttemptKey, Set<ProcessMark>> found = new TreeMap<>();
    Map<Long, Set<AttemptKey>> carriersByGroup = new HashMap<>();
    for (Carrier carrier : table.carriers()) {
      Set<ProcessMark> leaders = found.computeIfAbsent(carrier.attempt(), key -> new HashSet<>());
      carriersByGroup
          .computeIfAbsent(carrier.group(), group -> new HashSet<>())
          .add(carrier.attempt());
      if (carrier.process().pid() == carrier.group()) {
        leaders.add(carrier.process());
      }
    }
    Map<AttemptKey, AttemptRecord> records = records();
    records.forEach(
        (attempt, started) ->
            found
                .computeIfAbsent(attempt, key -> new HashSet<>())
                .addAll(proven(attempt, started, carriersByGroup)));
    Map<AttemptKey, Leftover> leftovers = new TreeMap<>();
    found.forEach(
        (attempt, leaders) ->
            leftovers.put(attempt, new Leftover(List.copyOf(leaders), records.get(attempt))));
    return leftovers;
  }

  private List<ProcessMark> proven(
      AttemptKey attempt, AttemptRecord started, Map<Long, Set<AttemptKey>> carriersByGroup) {
    ProcessTable table = directory.platform().table();
    if (!started.bootId().equals(table.bootId())) {
      return List.of();
    }
    List<ProcessMark> proven = new ArrayList<>();
    for (PodRecord pod : started.pods()) {
      ProcessMark leader = pod.leader();
      OptionalLong start = table.startOf(leader.pid());
      boolean leads = start.isPresent() && start.getAsLong() == leader.start();
      boolean carries =
          start.isEmpty() && carriersByGroup.getOrDefault(leader.pid(), Set.of()).contains(attempt);
      if (leader.pid() > 1 && (leads || carries)) {
        proven.add(leader);
      }
    }
    return proven;
  }

  private Map<AttemptKey, AttemptRecord> records() {
    try {
      return directory.records().read();
    } catch (IOException unreadable) {
      throw new UncheckedIOException("records of attempts cannot be read", unreadable);
    }
  }
}
