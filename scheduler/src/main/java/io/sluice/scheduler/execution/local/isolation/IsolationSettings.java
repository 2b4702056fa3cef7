// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the isolation of pods.
 *
 * @param range the ids of accounts for namespaces; null: those of the machine
 * @param processesMax the most processes and threads of a namespace at once
 * @param trustCallers whether to run pods without isolation although there are several callers
 * @param otherCallers whether there are callers other than the local administrator; read at each
 *     start of an attempt, so it may change
 * @param cgroup the delegated cgroup in which pods are; null: memory of pods is not bounded
 * @param claims the directory in which all servers of the machine claim accounts
 */
public record IsolationSettings(
    @Nullable AccountRange range,
    int processesMax,
    boolean trustCallers,
    BooleanSupplier otherCallers,
    @Nullable Path cgroup,
    Path claims) {
  /** Default of {@link #processesMax}. */
  public static final int PROCESSES_MAX = 8192;

  /** The settings of a server whose only caller is the local administrator. */
  public static final IsolationSettings DEFAULT =
      new IsolationSettings(
          null, PROCESSES_MAX, false, () -> false, null, Path.of("/var/lib/sluice-accounts"));

  public IsolationSettings {
    if (processesMax < 1) {
      throw new IllegalArgumentException("processesMax must be at least 1: " + processesMax);
    }
  }

  /** Returns settings with these accounts and this bound on processes. */
  public IsolationSettings with(@Nullable AccountRange accounts, int processes) {
    return new IsolationSettings(accounts, processes, trustCallers, otherCallers, cgroup, claims);
  }

  /** Returns settings of a server with other callers. */
  public IsolationSettings with(BooleanSupplier callers, boolean trusted) {
    return new IsolationSettings(range, processesMax, trusted, callers, cgroup, claims);
  }

  /** Returns settings with pods in this cgroup. */
  public IsolationSettings in(@Nullable Path delegated) {
    return new IsolationSettings(
        range, processesMax, trustCallers, otherCallers, delegated, claims);
  }
}
