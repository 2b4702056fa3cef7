// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

import io.sluice.queuemodel.job.AttemptKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;

/** Which processes live on this machine. It only looks; {@link ProcessSignals} ends. */
public interface ProcessTable {
  /** The variable by which every process of an executor carries the executor's id. */
  String EXECUTOR_ID = "SLUICE_EXECUTOR_ID";

  /** Start of a living process as in {@link ProcessMark}; empty if there is none with this pid. */
  OptionalLong startOf(long pid);

  /** Differs whenever the machine was started anew; pids of an earlier run mean nothing. */
  String bootId();

  /**
   * What is left of each attempt: live processes in the groups of its leaders and, where the
   * machine can tell, live processes that carry its name in their environment. A leader's group is
   * passed over if its pid meanwhile belongs to another process.
   */
  Map<AttemptKey, Remains> remains(Collection<Sought> sought);

  /** Processes that carry this executor's id, of any attempt; none where that cannot be told. */
  List<Carrier> carriers();

  /**
   * An attempt and the leaders of the process groups that were made for it.
   *
   * @param leaders whether alive or not
   */
  record Sought(AttemptKey attempt, List<ProcessMark> leaders) {}

  /**
   * A process found by its environment.
   *
   * @param group id of its process group
   */
  record Carrier(AttemptKey attempt, ProcessMark process, long group) {}

  /**
   * What is left of an attempt.
   *
   * @param groups ids of its process groups that have live members
   * @param members live processes of those groups, as far as they can be told one by one
   * @param strays live processes of the attempt outside of its groups
   */
  record Remains(SortedSet<Long> groups, List<ProcessMark> members, List<ProcessMark> strays) {
    public boolean isEmpty() {
      return groups.isEmpty() && strays.isEmpty();
    }
  }
}
