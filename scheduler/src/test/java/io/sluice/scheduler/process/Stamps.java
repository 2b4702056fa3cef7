// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Time stamps that processes of jobs write into files of their own, repeatedly, so that the run of
 * a killed process is known too.
 */
final class Stamps {
  /** Writes a stamp every 50 ms, and one at a regular end. */
  private static final String COMMAND =
      "f=%s/$SLUICE_JOB_ID.$SLUICE_INDEX.$SLUICE_ATTEMPT.$SLUICE_POD;"
          + " echo start $(date +%%s%%N) >> $f;"
          + " for i in $(seq %d); do sleep 0.05; echo on $(date +%%s%%N) >> $f; done;"
          + " echo stop $(date +%%s%%N) >> $f";

  /** The time in which the processes of an attempt ran, in nanoseconds. */
  private record Run(long from, long to, boolean whole) {
    Run and(Run other) {
      return new Run(Math.min(from, other.from), Math.max(to, other.to), whole && other.whole);
    }
  }

  private final Path directory;

  private Stamps(Path directory) {
    this.directory = directory;
  }

  static Stamps in(Path parent) throws IOException {
    Path directory = Files.createDirectory(parent.resolve("stamps"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    return new Stamps(directory);
  }

  /** Returns a command for {@code sh -c} that runs for a number of 50 ms intervals. */
  String command(int times) {
    return COMMAND.formatted(directory, times);
  }

  /**
   * Checks that no index ran in two attempts at once, none ran twice in one attempt, and each ran
   * to its end. An index that ended while no server ran may run again, so ends are not counted.
   */
  void assertEachIndexRanAloneAndToItsEnd(int indices) throws IOException {
    Map<String, SortedMap<Integer, Run>> runs = runs();
    assertThat(runs).hasSize(indices);
    runs.forEach(
        (index, attempts) -> {
          boolean whole = false;
          long ended = Long.MIN_VALUE;
          for (Map.Entry<Integer, Run> attempt : attempts.entrySet()) {
            assertThat(attempt.getValue().from())
                .as("attempt %d of %s begins after the one before", attempt.getKey(), index)
                .isGreaterThan(ended);
            ended = attempt.getValue().to();
            whole = attempt.getValue().whole();
          }
          assertThat(whole).as("the last attempt of %s ran to its end", index).isTrue();
        });
  }

  private Map<String, SortedMap<Integer, Run>> runs() throws IOException {
    Map<String, SortedMap<Integer, Run>> runs = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String[] parts = file.getFileName().toString().split("\\.", 4);
        runs.computeIfAbsent(parts[0] + " index " + parts[1], index -> new TreeMap<>())
            .merge(Integer.valueOf(parts[2]), run(file), Run::and);
      }
    }
    return runs;
  }

  private static Run run(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    assertThat(lines.stream().filter(line -> line.startsWith("start")).count())
        .as("starts in %s", file)
        .isEqualTo(1);
    String last = lines.get(lines.size() - 1);
    return new Run(time(lines.get(0)), time(last), last.startsWith("stop"));
  }

  private static long time(String line) {
    return Long.parseLong(line.substring(line.indexOf(' ') + 1));
  }
}
