// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A server in its own JVM, for a test to kill. */
final class CrashingServer {
  /**
   * A script for two pods: each has a child in its process group and one that left it, and all
   * ignore SIGTERM.
   */
  static final String STUBBORN =
      "trap '' TERM; sleep 60 & echo child $!;"
          + " setsid sh -c 'echo stray $$; exec sleep 60' & echo leader $$; wait";

  private CrashingServer() {}

  static Launches launches(AttemptKey attempt, String script) {
    return Launches.sh(script).pods(2).attempt(attempt, 1);
  }

  /** Starts a server on the directory, and waits until both pods of its attempt run. */
  static Process start(Path directory, AttemptKey attempt, String script) throws IOException {
    Process crashing =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CrashingServer.class.getName(),
                directory.toString(),
                attempt.job().toString(),
                script)
            .redirectError(Redirect.INHERIT)
            .start();
    BufferedReader lines = crashing.inputReader(StandardCharsets.UTF_8);
    assertThat(lines.readLine()).isEqualTo("started");
    return crashing;
  }

  /**
   * Arguments: the executor's directory, the job to start, its script. Prints a line when the pods
   * run.
   */
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
    AttemptKey attempt = new AttemptKey(JobId.parse(arguments[1]), 0, 1);
    executor.start(launches(attempt, arguments[2]).launch());
    new CountDownLatch(1).await();
  }
}
