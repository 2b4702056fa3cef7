// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Starts of real traces, compared with an independent simulator. Traces and simulator are not part
 * of this repository: the folder is {@code ../shared/traces} beside the checkout, or that of the
 * environment variable {@code SLUICE_TRACES}.
 */
@Tag("long")
class ReferenceTraceTest {
  private static final long PATIENCE_MINUTES = 10;

  @TempDir Path directory = Path.of("");

  @ParameterizedTest
  @CsvSource({
    "kth_sp2_1996.csv.gz, 100, user, FCFS",
    "kth_sp2_1996.csv.gz, 100, user, BESTEFFORT",
    "kth_sp2_1996.csv.gz, 100, user, EASY",
    "philly_2017.csv.gz, 640, exact, FCFS",
    "philly_2017.csv.gz, 640, exact, BESTEFFORT",
    "philly_2017.csv.gz, 640, exact, EASY"
  })
  void everyJobStartsInTheSecondOfTheReference(
      String name, int devices, String estimates, ReplayPolicy policy)
      throws IOException, InterruptedException {
    Path trace = traces().resolve(name);
    Path reference = traces().resolve("reference_sim.py");
    assumeTrue(Files.exists(trace) && Files.exists(reference), "no traces in " + traces());
    Path expected = directory.resolve("expected.csv");
    runReference(
        List.of(
            "python3",
            reference.toString(),
            trace.toString(),
            "--devices",
            Integer.toString(devices),
            "--est",
            estimates,
            "--policy",
            policy.word(),
            "--starts",
            expected.toString()));
    Estimates limits = estimates.equals("user") ? Estimates.USER : Estimates.EXACT;
    ReplayOutcome outcome =
        Replay.run(
            TraceReader.read(trace, devices, false),
            new ReplaySetup(devices, policy, limits, false),
            ReplayWatcher.NONE);
    Path starts = directory.resolve("starts.csv");
    try (BufferedWriter out = Files.newBufferedWriter(starts)) {
      outcome.writeStarts(out);
    }
    assertThat(Files.mismatch(starts, expected)).as("first different byte").isEqualTo(-1);
  }

  private static Path traces() {
    String given = System.getenv("SLUICE_TRACES");
    return given == null
        ? Path.of("..", "..", "shared", "traces").toAbsolutePath().normalize()
        : Path.of(given);
  }

  private static void runReference(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isZero();
    } catch (IOException noPython) {
      assumeTrue(false, "no python3: " + noPython.getMessage());
    }
  }
}
