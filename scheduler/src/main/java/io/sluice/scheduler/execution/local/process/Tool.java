// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs programs of the machine for the executor itself, with an empty environment. */
public final class Tool {
  private static final File NULL_DEVICE = new File("/dev/null");

  private static final List<String> FOLDERS =
      List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/opt/homebrew/bin");

  /** Output bound: a pipe holds at least this much, so a tool within it ends without a reader. */
  private static final int OUTPUT_BYTES_MAX = 16 << 10;

  private Tool() {}

  /**
   * Finds a program in fixed folders. It does not use the server's PATH, on which programs that run
   * as root must not depend.
   */
  public static Optional<Path> find(String program) {
    return FOLDERS.stream()
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Runs a tool to its end.
   *
   * @param limit time after which it is killed
   * @throws IOException if it cannot be started or does not end in time
   */
  public static Output run(List<String> command, Duration limit) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(Redirect.from(NULL_DEVICE))
            .redirectError(Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().put("PATH", String.join(File.pathSeparator, FOLDERS));
    Process process = builder.start();
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(command.get(0) + " did not end within " + limit);
      }
      byte[] printed = process.getInputStream().readNBytes(OUTPUT_BYTES_MAX);
      return new Output(process.exitValue(), new String(printed, StandardCharsets.UTF_8).strip());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(command.get(0) + " was interrupted", interrupted);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Exit code and output of a tool. */
  public record Output(int exitCode, String text) {}
}
