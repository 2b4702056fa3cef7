// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs short-lived programs as the server's account, with a timeout. */
record CommandRunner(ServerDirectory directory, ServerAccount account) {
  /** Environment variables that a program needs to be found and loaded; all others are removed. */
  private static final Set<String> INHERITED = Set.of("PATH", "LD_LIBRARY_PATH");

  /** Timeout of programs that do next to nothing. */
  static final Duration PROBE_LIMIT = Duration.ofSeconds(10);

  private static final Duration KILL_LIMIT = Duration.ofSeconds(5);

  /**
   * @param output standard output and standard error in the order written
   */
  record Outcome(int exitCode, LogTail output) {
    boolean succeeded() {
      return exitCode == 0;
    }
  }

  Outcome run(Duration limit, String... words) throws IOException {
    return run(limit, "", List.of(words));
  }

  /**
   * Runs a command in the server's directory. Its output goes to a file there, not a pipe: a
   * process that outlives the program and holds a pipe open could block the reader.
   *
   * @param input written to its standard input, which is then closed; at most a few KiB
   * @throws PostgresStartException if it does not end within {@code limit}; it is killed then
   * @throws IOException if it cannot be executed
   */
  Outcome run(Duration limit, String input, List<String> words) throws IOException {
    List<String> all = new ArrayList<>(account.prefix());
    all.addAll(words);
    Path output = Files.createTempFile(directory.path(), ServerDirectory.OUTPUT_PREFIX, "");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(all)
              .directory(directory.path().toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      restrict(builder.environment());
      Process process = builder.start();
      feed(process, input);
      if (!Waiting.untilEnd(process, limit)) {
        process.destroyForcibly();
        Waiting.untilEnd(process, KILL_LIMIT);
        throw new PostgresStartException(
            words.get(0) + " did not end within " + limit.toSeconds() + " s");
      }
      return new Outcome(process.exitValue(), LogTail.of(output, 0));
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static void restrict(Map<String, String> environment) {
    environment.keySet().retainAll(INHERITED);
    environment.put("LC_ALL", "C");
    // Saves initdb the search for the machine's time zone.
    environment.put("TZ", "UTC");
  }

  private static void feed(Process process, String input) {
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // The program ended without reading all of it; its exit code and output say why.
    }
  }
}
