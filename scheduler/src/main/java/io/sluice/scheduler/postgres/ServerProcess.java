// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The server's main process (its postmaster). It is no child of ours: pg_ctl gives it a session of
 * its own, so that Ctrl-C in a terminal does not reach it, and so it also outlives us if we are
 * killed.
 */
record ServerProcess(long pid, Path data) {
  /**
   * What postmaster.pid says, whether or not it still runs. Empty also while the file is written.
   */
  static Optional<ServerProcess> recorded(Path data) throws IOException {
    Path file = pidFile(data);
    try (Stream<String> lines = Files.lines(file)) {
      // A server in single-user mode writes its number with a minus sign.
      return lines
          .findFirst()
          .filter(line -> line.matches("-?[1-9][0-9]{0,9}"))
          .map(line -> new ServerProcess(Math.abs(Long.parseLong(line)), data));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  static Path pidFile(Path data) {
    return data.resolve("postmaster.pid");
  }

  /**
   * Whether the process with this number is a PostgreSQL of this data directory, and not something
   * else that has got the number since. A process that has ended and was not waited for has no
   * command line and does not count.
   */
  boolean isRunning() {
    List<String> words = commandLine();
    return !words.isEmpty() && words.get(0).endsWith("postgres") && words.contains(data.toString());
  }

  /**
   * Shuts down fast (transactions are aborted, what is committed is written), and if that takes
   * longer than {@code limit} at once (the next start recovers).
   *
   * @return false if it still runs when {@code limit} has passed a second time
   */
  boolean stop(ServerPrograms programs, CommandRunner runner, Duration limit) throws IOException {
    for (String signal : List.of("INT", "QUIT")) {
      if (!isRunning()) {
        return true;
      }
      runner.run(CommandRunner.PROBE_LIMIT, programs.pgCtl(), "kill", signal, Long.toString(pid));
      if (Waiting.until(this::hasEnded, limit)) {
        return true;
      }
    }
    return false;
  }

  /** Its command line goes first; until it is a zombie or gone, it may still hold its port. */
  private boolean hasEnded() {
    return !isRunning() && (ProcessHandle.of(pid).isEmpty() || isZombie());
  }

  private boolean isZombie() {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return true;
    }
  }

  /** Readable for every user, unlike what ProcessHandle wants; where there is no /proc, that. */
  private List<String> commandLine() {
    Path file = Path.of("/proc", Long.toString(pid), "cmdline");
    try {
      if (Files.isDirectory(Path.of("/proc/self"))) {
        byte[] words = Files.readAllBytes(file);
        return words.length == 0
            ? List.of()
            : Arrays.asList(new String(words, StandardCharsets.UTF_8).split("\0"));
      }
    } catch (IOException e) {
      return List.of();
    }
    return ProcessHandle.of(pid).map(ProcessHandle::info).stream()
        .flatMap(
            info ->
                Stream.concat(
                    info.command().stream(), info.arguments().stream().flatMap(Arrays::stream)))
        .toList();
  }
}
