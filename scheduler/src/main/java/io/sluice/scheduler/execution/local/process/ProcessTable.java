// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

import io.sluice.queuemodel.job.AttemptKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedSet;

/** The live processes of this machine. Read-only; {@link ProcessSignals} ends processes. */
public interface ProcessTable {
  /** The environment variable with the executor's id in every process of an executor. */
  String EXECUTOR_ID = "SLUICE_EXECUTOR_ID";

  /**
   * Returns the start of a live process as in {@link ProcessMark}; empty if no process has this
   * pid.
   */
  OptionalLong startOf(long pid);

  /** Returns an id of the machine's current boot; pids of another boot are meaningless. */
  String bootId();

  /**
   * Returns the remaining processes of each attempt: live processes in the groups of its leaders
   * and, if the system shows environments, live processes that carry its name. A leader's group is
   * skipped if another process now has its pid.
   */
  Map<AttemptKey, Remains> remains(Collection<Sought> sought);

  /**
   * Returns the processes with this executor's id, of any attempt; empty if the system does not
   * show environments.
   */
  List<Carrier> carriers();

  /**
   * An attempt and the leaders of its process groups.
   *
   * @param leaders leaders, alive or not
   * @param user user id of its processes, so that a process of another user that carries the
   *     attempt's name is not taken for one of them; empty: not known
   */
  record Sought(AttemptKey attempt, List<ProcessMark> leaders, OptionalInt user) {}

  /**
   * A process that was found by its environment.
   *
   * @param group id of its process group
   */
  record Carrier(AttemptKey attempt, ProcessMark process, long group) {}

  /**
   * The remaining processes of an attempt.
   *
   * @param groups ids of its process groups with live members
   * @param members live processes of those groups, as far as the system lists them
   * @param strays live processes of the attempt outside its groups
   */
  record Remains(SortedSet<Long> groups, List<ProcessMark> members, List<ProcessMark> strays) {
    public boolean isEmpty() {
      return groups.isEmpty() && strays.isEmpty();
    }
  }
}
