// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptReport.Kind;
import io.sluice.queuemodel.job.JobId;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A server in a JVM of its own, made to be killed. */
final class CrashingServer {
  /** Two pods; each has a child in its group and one that left it, and none of them heeds TERM. */
  static final String SCRIPT =
      "trap '' TERM; sleep 60 & echo child $!;"
          + " setsid sh -c 'echo stray $$; exec sleep 60' & echo leader $$; wait";

  private CrashingServer() {}

  static Launches launches(AttemptKey attempt) {
    return Launches.sh(SCRIPT).pods(2).attempt(attempt, 1);
  }

  /** Arguments: the executor's directory and the id of the job to start. Prints when it runs. */
  public static void main(String[] arguments) throws InterruptedException {
    LocalExecutorSettings settings =
        LocalExecutorSettings.of(Path.of(arguments[0]), () -> Fleet.EMPTY);
    LocalExecutor executor =
        new LocalExecutor(
            settings,
            report -> {
              if (report.kind() == Kind.STARTED) {
                System.out.println("started");
              }
            });
    executor.recover(List.of());
    executor.start(launches(new AttemptKey(JobId.parse(arguments[1]), 0, 1)).launch());
    new CountDownLatch(1).await();
  }
}
