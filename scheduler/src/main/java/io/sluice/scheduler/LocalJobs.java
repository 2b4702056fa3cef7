// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.config.StartException;
import io.sluice.scheduler.execution.local.isolation.AccountRange;
import io.sluice.scheduler.execution.local.isolation.IsolationException;
import io.sluice.scheduler.execution.local.isolation.IsolationMeans;
import io.sluice.scheduler.execution.local.isolation.IsolationSettings;
import io.sluice.scheduler.execution.local.isolation.JobIsolation;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The options for jobs as processes of this machine, and the check that they can be isolated. */
final class LocalJobs {
  private static final Path SHELL = Path.of("/bin/sh");

  /** A smaller log would lose the last line of most programs. */
  private static final long LOG_BYTES_MIN = 4 << 10;

  private static final ResourceName BYTES = ResourceName.MEMORY;

  private LocalJobs() {}

  /**
   * Returns the settings of isolation.
   *
   * @param accounts the ids for accounts; null: those of the machine
   * @param cgroup a delegated cgroup that bounds memory; null: none does
   * @param otherCallers whether there are callers other than the local administrator
   * @throws StartException naming the option that is wrong
   */
  static IsolationSettings isolation(
      @Nullable String accounts,
      int processes,
      @Nullable Path cgroup,
      boolean trusted,
      BooleanSupplier otherCallers) {
    if (processes < 1) {
      throw new StartException("--job-processes must be at least 1: " + processes);
    }
    try {
      return IsolationSettings.DEFAULT
          .with(accounts == null ? null : AccountRange.parse(accounts), processes)
          .with(otherCallers, trusted)
          .in(cgroup);
    } catch (IllegalArgumentException wrong) {
      throw new StartException("--job-accounts " + wrong.getMessage());
    }
  }

  /**
   * Returns the bound on the log of a pod in bytes.
   *
   * @throws StartException if it is none
   */
  static long logBytes(String text) {
    try {
      long bytes = Quantities.parse(text, BYTES);
      if (bytes >= LOG_BYTES_MIN) {
        return bytes;
      }
    } catch (InvalidValueException wrong) {
      // Reported below, with the bound.
    }
    throw new StartException(
        "--job-log-limit \"" + text + "\" must be a size of at least 4Ki, such as 64Mi");
  }

  private static void checkCgroup(@Nullable Path cgroup) {
    try {
      if (cgroup != null) {
        JobIsolation.checkCgroup(cgroup, SHELL);
      }
    } catch (IsolationException unusable) {
      throw new StartException("--job-cgroup: " + unusable.reason());
    }
  }

  /**
   * Checks that this server can run jobs for its callers, and warns of jobs without isolation.
   *
   * @param directory the data directory, in which jobs will run
   * @throws StartException if jobs would run as root, or without isolation from those of others
   */
  static void check(UpCommand options, Path directory) {
    checkCgroup(options.jobCgroup);
    boolean others = options.tokens != null;
    IsolationMeans means =
        IsolationMeans.find(
            isolation(
                options.jobAccounts,
                options.jobProcesses,
                options.jobCgroup,
                options.trustCallers,
                () -> others),
            SHELL,
            directory);
    if (means.unable() != null) {
      throw new StartException(
          "this server is root and runs no job as root, and other accounts cannot run them: "
              + means.unable()
              + ". Choose another --data, or start the server as a user of its own");
    }
    String missing = means.missing();
    if (missing == null || !others) {
      return;
    }
    if (!options.trustCallers) {
      throw new StartException(
          "--tokens names callers whose jobs cannot be isolated from each other: "
              + missing
              + ". Start the server as root, run jobs in a cluster (--kubeconfig), or accept it"
              + " with --trust-callers");
    }
    System.err.println(
        "sluice: jobs of all callers share one account, without isolation (--trust-callers): "
            + missing);
  }
}
