// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command that replays traces: its files, its exit codes, its messages. */
class ReplayCommandTest {
  private static final String HEADER = "id,submit_s,duration_s,devices,team,estimate_s\n";

  @TempDir Path directory = Path.of("");

  private record Done(int exitCode, String errors) {}

  private Done run(String trace, String... options) throws IOException {
    CommandLine commands = Main.commandLine();
    StringWriter errors = new StringWriter();
    commands.setErr(new PrintWriter(errors));
    Path file = Files.writeString(directory.resolve("trace.csv"), trace);
    Stream<String> given =
        Stream.concat(
            Stream.of("replay", file.toString(), "--policy", "easy", "--quiet"),
            Stream.of(options));
    int exitCode = commands.execute(given.toArray(String[]::new));
    return new Done(exitCode, errors.toString());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  @Test
  void resultsAreWrittenAndReplaceOlderOnes() throws IOException {
    Files.writeString(directory.resolve("starts.csv"), "older");
    Done done =
        run(
            HEADER + "2,5,10,4,a,\n1,0,10,3,b,20\n",
            "--devices",
            "4",
            "--starts",
            path("starts.csv"),
            "--out",
            path("out.json"));
    assertThat(done).isEqualTo(new Done(0, ""));
    assertThat(directory.resolve("starts.csv")).hasContent("1,0\n2,10\n");
    assertThat(Files.readString(directory.resolve("out.json")))
        .contains("\"policy\":\"easy\"")
        .contains("\"meanSeconds\":2.5,")
        .contains("\"written\":1,\"movedEarlier\":1,");
    assertThat(files()).containsExactly("out.json", "starts.csv", "trace.csv");
  }

  @Test
  void aFaultOfTheTraceIsNamedAndNothingIsWritten() throws IOException {
    Files.writeString(directory.resolve("starts.csv"), "older");
    Done done =
        run(
            HEADER + "1,0,10,3,b,20\n2,5,10,5,a,\n",
            "--devices",
            "4",
            "--starts",
            path("starts.csv"),
            "--out",
            path("out.json"));
    assertThat(done.exitCode()).isEqualTo(2);
    assertThat(done.errors())
        .contains("trace.csv, line 3: devices is 5, but the machine has 4; no job may use more");
    assertThat(directory.resolve("starts.csv")).hasContent("older");
    assertThat(files()).containsExactly("starts.csv", "trace.csv");
  }

  @Test
  void wrongOptionsAreNamed() throws IOException {
    String trace = HEADER + "1,0,10,3,b,20\n";
    assertUsage(run(trace, "--devices", "0"), "--devices is 0; it must be from 1 to 100000000");
    assertUsage(run(trace, "--devices", "4", "--est", "x0"), "unknown estimates \"x0\"");
    assertUsage(run(trace, "--devices", "4", "--teams", "some"), "unknown teams \"some\"");
    assertUsage(
        run(trace, "--devices", "4", "--starts", path("a"), "--out", path("a")),
        "--starts and --out name the same file");
    assertUsage(
        run(trace, "--devices", "4", "--starts", path("trace.csv")),
        "the results would replace the trace");
    assertUsage(
        run(trace, "--devices", "4", "--rank-weight", "2"),
        "--planned-depth, --rank-weight and --rank-delay-max are for --policy planned, not easy");
    assertUsage(
        run(trace, "--devices", "4", "--planned-depth", "1001"),
        "--planned-depth is 1001; it must be from 1 to 1000");
    assertUsage(
        run(trace, "--devices", "4", "--rank-weight", "-1"),
        "\"-1\" must be a number from 0 to 1000 with at most three decimals");
    assertUsage(
        run(trace, "--devices", "4", "--rank-delay-max", "721h"),
        "\"721h\" must be from 0s to 720h");
    Done done = run(trace, "--devices", "4", "--starts", path("no/such/folder"));
    assertThat(done.exitCode()).isEqualTo(1);
    assertThat(done.errors()).contains("cannot write");
  }

  private static void assertUsage(Done done, String message) {
    assertThat(done.exitCode()).isEqualTo(2);
    assertThat(done.errors()).contains(message);
  }
}
