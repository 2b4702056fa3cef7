// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Commands that are typed against the server of one data directory. */
final class Sluice {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path directory;

  /**
   * Commands of one server.
   *
   * @param directory has the data directory of the server, and what commands print
   */
  Sluice(Path directory) {
    this.directory = directory;
  }

  /** What a command printed, and its exit code. */
  record Done(int exitCode, String out, String err) {
    /** This one, which must have ended with a code. */
    Done ends(int expected) {
      if (exitCode != expected) {
        throw new AssertionError(
            "exit code %d, not %d: %s%s".formatted(exitCode, expected, out, err));
      }
      return this;
    }
  }

  Path data() {
    return directory.resolve("data");
  }

  /** Starts a command. */
  Process begin(Path out, Path err, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("./sluice"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = Checkout.process(command.toArray(String[]::new));
    builder.environment().put("SLUICE_DATA", data().toString());
    return builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
  }

  /** Runs a command to its end. */
  Done run(String... arguments) throws IOException, InterruptedException {
    Path out = Files.createTempFile(directory, "out", "");
    Path err = Files.createTempFile(directory, "err", "");
    Process process = begin(out, err, arguments);
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(String.join(" ", arguments) + " does not end");
    }
    return new Done(process.exitValue(), text(out), text(err));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  /** Runs a command again and again until its output is as expected. */
  Done await(Predicate<Done> expected, String... arguments)
      throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    Done done = run(arguments);
    while (!expected.test(done)) {
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError(String.join(" ", arguments) + " stays " + done);
      }
      done = run(arguments);
    }
    return done;
  }

  /** A file of the test's own. */
  String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }
}
