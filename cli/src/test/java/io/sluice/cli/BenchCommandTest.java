// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command that measures a server: its options, its exit codes, its report. */
class BenchCommandTest {
  private static final String LOAD =
      """
      {"name": "tiny", "cohorts": 1, "clusterQueuesPerCohort": 3,
       "clusterQueue": {"nominalCpu": 4, "borrowingLimitCpu": 0,
        "preemption": {"reclaimWithinCohort": "Never", "withinClusterQueue": "Never"},
        "queueingStrategy": "StrictFIFO"},
       "workloadsPerClusterQueue": [
        {"class": "small", "count": 20, "everyMs": 5, "runMs": 20, "priority": 0, "requestCpu": 1}]}
      """;

  @TempDir Path directory = Path.of("");

  private record Done(int exitCode, String errors) {}

  private Done run(String load, String... options) throws IOException {
    CommandLine commands = Main.commandLine();
    StringWriter errors = new StringWriter();
    commands.setErr(new PrintWriter(errors));
    Path file = Files.writeString(directory.resolve("load.json"), load);
    Stream<String> given = Stream.concat(Stream.of("bench", file.toString()), Stream.of(options));
    int exitCode = commands.execute(given.toArray(String[]::new));
    return new Done(exitCode, errors.toString());
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void withoutAServerTheGeneratorIsMeasured() throws IOException {
    Files.writeString(directory.resolve("out.json"), "older");
    Done done = run(LOAD, "--no-op", "--callers", "4", "--out", path("out.json"));
    assertThat(done).isEqualTo(new Done(0, ""));
    assertThat(files()).containsExactly("load.json", "out.json");
    JsonNode report = new ObjectMapper().readTree(directory.resolve("out.json").toFile());
    assertThat(report.path("complete").asBoolean()).isTrue();
    assertThat(report.path("reason").isNull()).isTrue();
    assertThat(report.path("setup").path("load").path("workloads").asInt()).isEqualTo(60);
    assertThat(report.path("setup").path("callers").asInt()).isEqualTo(4);
    assertThat(report.path("setup").path("server").isNull()).isTrue();
    assertThat(report.path("scheduling").isNull()).isTrue();
    JsonNode submissions = report.path("submissions");
    assertThat(submissions.path("acknowledged").path("count").asInt()).isEqualTo(60);
    assertThat(submissions.path("acknowledged").path("perSecond").asDouble()).isPositive();
    assertThat(submissions.path("latencyMillis").path("p99").asDouble()).isPositive();
    assertThat(report.path("processes").path("generatorCpuSeconds").isNumber()).isTrue();
    assertThat(report.path("processes").path("server").isNull()).isTrue();
  }

  @Test
  void aServerThatDoesNotAnswerIsExitCodeThree() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Done done = run(LOAD, "--server", "http://127.0.0.1:" + port, "--out", path("out.json"));
    assertThat(done.exitCode()).isEqualTo(3);
    assertThat(done.errors()).contains("no server answers at http://127.0.0.1:" + port);
    assertThat(files()).containsExactly("load.json");
  }

  @Test
  void aFaultOfTheLoadIsNamedAndNothingIsWritten() throws IOException {
    Done done = run(LOAD.replace("\"count\": 20", "\"count\": -20"), "--out", path("out.json"));
    assertThat(done.exitCode()).isEqualTo(2);
    assertThat(done.errors())
        .contains("load.json: workloadsPerClusterQueue[0].count is -20; it must be a whole number");
    assertThat(files()).containsExactly("load.json");
  }

  @Test
  void wrongOptionsAreNamed() throws IOException {
    assertUsage(run(LOAD, "--callers", "0"), "--callers is 0; it must be from 1 to 256");
    assertUsage(run(LOAD, "--callers", "257"), "--callers is 257; it must be from 1 to 256");
    assertUsage(run(LOAD, "--limit", "0s"), "\"0s\" must be from 1s to 24h");
    assertUsage(run(LOAD, "--limit", "soon"), "\"soon\" must be a duration");
    assertUsage(
        run(LOAD, "--time-limits", "0.5"),
        "\"0.5\" must be a number from 1 to 1000 with at most 3 decimals");
    assertUsage(run(LOAD, "--time-limits", "1e3"), "\"1e3\" must be a number from 1 to 1000");
    assertUsage(
        run(LOAD, "--no-op", "--server", "http://127.0.0.1:1"),
        "--no-op needs no server, but --server names one");
    assertUsage(run(LOAD, "--remote"), "--remote is for a server that --server or --context names");
    assertUsage(
        run(LOAD, "--server", "http://192.0.2.1:7411"),
        "http://192.0.2.1:7411 is not on this machine");
    assertUsage(
        run(LOAD, "--no-op", "--out", path("load.json")), "the report would replace the load");
    assertThat(run(LOAD, "--no-op", "--out", path("no/such/folder")).exitCode()).isEqualTo(1);
  }

  private static void assertUsage(Done done, String message) {
    assertThat(done.exitCode()).isEqualTo(2);
    assertThat(done.errors()).contains(message);
  }
}
