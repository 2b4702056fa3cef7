// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.local.AttemptRecords.AttemptRecord;
import io.sluice.scheduler.execution.local.AttemptRecords.PodRecord;
import io.sluice.scheduler.execution.local.ProcessTable.Carrier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * What an earlier server started and did not see the end of. A process group counts as ours only on
 * proof: its leader is the very process on record, or one of its members carries our name. A number
 * alone proves nothing; since then it may have been given to somebody else's.
 */
final class Leftovers {
  private final ExecutorDirectory directory;

  Leftovers(ExecutorDirectory directory) {
    this.directory = directory;
  }

  /** Attempts on record or found running, each with the leaders of its proven process groups. */
  Map<AttemptKey, List<ProcessMark>> find() {
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
    records()
        .forEach(
            (attempt, attemptRecord) -> {
              Set<ProcessMark> leaders = found.computeIfAbsent(attempt, key -> new HashSet<>());
              for (PodRecord pod : attemptRecord.pods()) {
                boolean sameBoot = attemptRecord.bootId().equals(table.bootId());
                OptionalLong start = sameBoot ? table.startOf(pod.pid()) : OptionalLong.empty();
                boolean leads = start.isPresent() && start.getAsLong() == pod.start();
                boolean carries =
                    start.isEmpty()
                        && carriersByGroup.getOrDefault(pod.pid(), Set.of()).contains(attempt);
                if (pod.pid() > 1 && (leads || carries)) {
                  leaders.add(new ProcessMark(pod.pid(), pod.start()));
                }
              }
            });
    Map<AttemptKey, List<ProcessMark>> leftovers = new TreeMap<>();
    found.forEach((attempt, leaders) -> leftovers.put(attempt, List.copyOf(leaders)));
    return leftovers;
  }

  private Map<AttemptKey, AttemptRecord> records() {
    try {
      return directory.records().read();
    } catch (IOException unreadable) {
      throw new UncheckedIOException("records of attempts cannot be read", unreadable);
    }
  }
}
