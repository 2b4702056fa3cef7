// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The command that measures a server, as it is packaged, with servers of its own. */
class BenchIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String LOAD =
      """
      {"name": "tiny", "cohorts": 2, "clusterQueuesPerCohort": 2,
       "clusterQueue": {"nominalCpu": 4, "borrowingLimitCpu": 4,
        "preemption": {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"},
        "queueingStrategy": "BestEffortFIFO"},
       "workloadsPerClusterQueue": [
        {"class": "small", "count": %d, "everyMs": 50, "runMs": 100, "priority": 50,
         "requestCpu": 1},
        {"class": "large", "count": 4, "everyMs": 250, "runMs": 200, "priority": 200,
         "requestCpu": 4}],
       "reference": {"system": "Kueue", "source": "none", "wallSeconds": 9.5}}
      """;

  private Path directory = Path.of("");

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("sluice-bench-it").toRealPath();
    Files.createDirectories(directory.resolve("tmp"));
    // The account that runs the database must pass through.
    for (Path folder : List.of(directory, directory.resolve("tmp"))) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }
  }

  @AfterEach
  void deleteDirectory() {
    Checkout.delete(directory);
  }

  private Process bench(int small, String... options) throws IOException {
    Path load = Files.writeString(directory.resolve("load.json"), LOAD.formatted(small));
    List<String> words = new ArrayList<>(List.of("./sluice", "bench", load.toString()));
    words.addAll(List.of("--callers", "8", "--out", directory.resolve("out.json").toString()));
    words.addAll(List.of(options));
    ProcessBuilder builder = Checkout.process(words.toArray(String[]::new));
    builder.environment().keySet().removeAll(List.of("SLUICE_SERVER", "SLUICE_DATA"));
    // The server's directory is below the test's, so that what is left can be found.
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + directory.resolve("tmp"));
    return builder
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("printed").toFile())
        .start();
  }

  private String printed() throws IOException {
    return Files.readString(directory.resolve("printed"));
  }

  private JsonNode report() throws IOException {
    return new ObjectMapper().readTree(directory.resolve("out.json").toFile());
  }

  @Test
  void aLoadIsMeasuredOnAServerOfItsOwn() throws Exception {
    Process bench = bench(16, "--time-limits", "100");
    assertThat(bench.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(printed()).isTrue();
    assertThat(bench.exitValue()).as(printed()).isZero();
    assertThat(printed())
        .contains("tiny: 80 workloads in 4 ClusterQueues of 2 cohorts, 8 callers, kueue queueing")
        .contains(
            "KUEUE", "wall time", "9.50", "time to admission, large", "CPU time of the database");
    JsonNode report = report();
    assertThat(report.path("complete").asBoolean()).isTrue();
    assertThat(report.path("setup").path("server").path("own").asBoolean()).isTrue();
    assertThat(report.path("setup").path("server").path("fileSystem").asText()).isNotBlank();
    assertThat(report.path("setup").path("timeLimitFactor").asDouble()).isEqualTo(100);
    JsonNode scheduling = report.path("scheduling");
    assertThat(scheduling.path("ended").asInt()).isEqualTo(80);
    assertThat(scheduling.path("failed").asInt()).isZero();
    assertThat(scheduling.path("admissions").path("count").asInt())
        .isEqualTo(80 + scheduling.path("preemptedAttempts").asInt());
    assertThat(scheduling.path("wallSeconds").asDouble()).isPositive();
    assertThat(scheduling.path("usefulUsagePercent").asDouble()).isBetween(0.0, 100.0);
    assertThat(scheduling.path("timeToAdmission")).hasSize(2);
    assertThat(scheduling.path("timeToAdmission").get(0).path("jobs").asInt()).isEqualTo(64);
    assertThat(scheduling.path("timeToAdmission").get(1).path("seconds").path("p99").asDouble())
        .isPositive();
    assertThat(report.path("submissions").path("acknowledged").path("count").asInt()).isEqualTo(80);
    if (Files.exists(Path.of("/proc/self/smaps_rollup"))) {
      for (String name : List.of("server", "database")) {
        JsonNode use = report.path("processes").path(name);
        assertThat(use.path("cpuSeconds").isNumber()).as(name).isTrue();
        assertThat(use.path("peakMebibytes").asDouble()).as(name).isPositive();
      }
    }
    assertThat(report.path("reference").path("system").asText()).isEqualTo("Kueue");
    assertNothingIsLeft();
  }

  @Test
  void anInterruptedRunReportsWhatItHas() throws Exception {
    Process bench = bench(1_000, "--planned");
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!hasServer()) {
      assertThat(bench.isAlive()).as(printed()).isTrue();
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(50);
    }
    // The load takes 50 s. Where tests run in the background, the signal of Ctrl-C is ignored.
    Thread.sleep(3_000);
    bench.destroy();
    assertThat(bench.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(printed()).isTrue();
    assertThat(bench.exitValue()).as(printed()).isEqualTo(1);
    assertThat(printed()).contains("sluice: the run is incomplete: interrupted", "(incomplete)");
    JsonNode report = report();
    assertThat(report.path("complete").asBoolean(true)).isFalse();
    assertThat(report.path("reason").asText()).isEqualTo("interrupted");
    assertThat(report.path("submissions").path("acknowledged").path("count").asInt())
        .isLessThan(4_016);
    assertNothingIsLeft();
  }

  /** Whether the server of the command has announced itself. */
  private boolean hasServer() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("tmp"))) {
      return files.anyMatch(folder -> Files.exists(folder.resolve("data").resolve("server.json")));
    }
  }

  /** No server, no database, no file of them. */
  private void assertNothingIsLeft() throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(Duration.ofSeconds(20));
    while (anythingRuns() && Instant.now().isBefore(deadline)) {
      Thread.sleep(100);
    }
    assertThat(anythingRuns()).isFalse();
    try (Stream<Path> files = Files.list(directory.resolve("tmp"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("sluice-bench"));
    }
  }

  private boolean anythingRuns() {
    String place = directory.resolve("tmp").toString();
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .anyMatch(process -> process.info().commandLine().orElse("").contains(place));
  }
}
